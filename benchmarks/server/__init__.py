"""What a review costs the webhook server, next to a webhook that only changes `apiVersion`."""
