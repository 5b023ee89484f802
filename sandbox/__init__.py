"""Where bots run: local processes today, stronger walls behind the same interface."""
