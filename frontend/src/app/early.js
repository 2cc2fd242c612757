/* Opens the kernel's websocket while the bundle is still on its way. */
