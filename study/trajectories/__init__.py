"""What agents did in their runs, read again from the logs beside the records, in one format."""
