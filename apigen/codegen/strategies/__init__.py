"""The backend of strategies, which prepare and validate hub objects before they are stored."""
