"""Never says that it is ready."""

while True:
    pass
