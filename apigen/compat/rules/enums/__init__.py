"""Values of enums, and unions."""
