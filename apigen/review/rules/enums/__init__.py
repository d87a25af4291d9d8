"""Rules about enums and unions."""
