(function () {
  var data = JSON.parse(document.getElementById('jiqi-opening').textContent);
  var busy = document.getElementById('busy');
  var trouble = document.getElementById('trouble');
  var running = false;

  function show(problem) {
    running = false;
    busy.hidden = true;
    trouble.hidden = false;
    document.getElementById('message').textContent = problem.detail || data.words.offline;
    document.getElementById('code').textContent = problem.code
      ? problem.code + (problem.request_id ? ' · ' + problem.request_id : '') : 'net.offline';
    document.getElementById('again').focus();
  }

  function submit(enter) {
    var form = document.createElement('form');
    form.method = 'post';
    form.action = enter.action;
    [['ticket', enter.ticket], ['next', enter.next]].forEach(function (pair) {
      var field = document.createElement('input');
      field.type = 'hidden';
      field.name = pair[0];
      field.value = pair[1];
      form.appendChild(field);
    });
    document.body.appendChild(form);
    form.submit();
  }

  function go() {
    if (running) return;
    var mark = /(?:^|; )jiqi_xsrf=([^;]+)/.exec(document.cookie);
    if (!mark) { show({ detail: data.words.cookies, code: 'cookie.blocked' }); return; }
    running = true;
    trouble.hidden = true;
    busy.hidden = false;
    fetch(data.url, {
      method: 'POST',
      credentials: 'same-origin',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json', 'X-Jiqi-XSRF': mark[1] },
      body: JSON.stringify(data.body)
    }).then(function (answer) {
      return answer.json().then(function (body) {
        if (answer.ok) { submit(body.enter); return; }
        if (answer.status === 401 && data.login) { location.replace(data.login); return; }
        show(body);
      });
    }).catch(function () { show({}); });
  }

  document.getElementById('again').addEventListener('click', go);
  // The back button may bring this page out of the browser's memory, with its script already run.
  window.addEventListener('pageshow', function (event) { if (event.persisted) { running = false; go(); } });
  // A page that is prerendered was not opened by anybody yet.
  if (document.prerendering) document.addEventListener('prerenderingchange', go, { once: true });
  else go();
})();
