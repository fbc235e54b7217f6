"""What every layer shares: errors, statuses, results, options, board text and the registry."""
