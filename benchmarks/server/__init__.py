"""What a review costs the webhook server, beside a webhook that only changes `apiVersion`."""
