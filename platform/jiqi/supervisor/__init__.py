"""What keeps one machine's processes running: the instance lock, the embedded broker, children with a back-off."""
