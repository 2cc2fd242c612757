/* Opens the kernel's websocket while the bundle is still on its way; core/earlySocket.ts takes it over. */
(function () {
  try {
    var boot = JSON.parse(document.getElementById('jiqi-boot').textContent);
    document.documentElement.lang = boot.lang || 'zh-CN';
    var kernel = (boot.session && boot.session.kernel && boot.session.kernel.id) || (boot.kernel && boot.kernel.id);
    var status = boot.kernel ? boot.kernel.status : 'ready';
    if (!kernel || boot.problem || !/^(requested|starting|restarting|ready)$/.test(status)) return;
    var bytes = crypto.getRandomValues(new Uint8Array(16));
    var session = Array.prototype.map.call(bytes, function (b) { return (b + 256).toString(16).slice(1); }).join('');
    var url = new URL(boot.base_url + 'api/kernels/' + encodeURIComponent(kernel) + '/channels?session_id=' + session, location.href);
    url.protocol = url.protocol.replace('http', 'ws');
    var socket = new WebSocket(url.href, 'v1.kernel.websocket.jupyter.org');
    socket.binaryType = 'arraybuffer';
    var early = { socket: socket, kernel: kernel, session: session, messages: [] };
    socket.onmessage = function (event) { early.messages.push(event.data); };
    window.__jiqiEarly = early;
  } catch (error) {
    console.warn('early websocket', error);
  }
})();
