/** Serves the portal's sources with an API in memory: `npx vite --config dev/portal.config.ts`; `?as=member` and the like choose who reads. */
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';

import { defineConfig, type Plugin } from 'vite';

import { MemoryPortal, person, project } from './memoryPortal.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const hours = (n: number): string => new Date(Date.now() - n * 3_600_000).toISOString();

const SOME = [
  project('p1', '自动求导与梯度下降：估算快递运费', { lesson: 'autograd', kernels: 1, last_opened: hours(2) }),
  project('p2', '手写数字实验', { last_opened: hours(30) }),
  project('p3', '文件 名 <\'&"> 与一个很长很长的名字，用来看看一行放不下的时候会怎样，是不是还读得懂', { last_opened: hours(24 * 9), environment: 'paddle-cpu' }),
];
const MANY = Array.from({ length: 24 }, (_, index) => project(`m${index}`, `实验 ${index + 1}`, { last_opened: hours(index * 7) }));

/** Nobody, a guest, a member with few, many or no projects, or a host that does not isolate. */
function portalFor(as: string): MemoryPortal {
  const options = {
    guest: { user: person('guest', '游客'), projects: SOME.slice(0, 1) },
    member: { user: person('member', '李华'), projects: SOME },
    many: { user: person('member', '李华'), projects: [...SOME, ...MANY] },
    new: { user: person('member', '李华') },
    open: { site: { isolated: false } },
  }[as];
  const made = new MemoryPortal({ accounts: [{ name: 'lihua', password: 'correct horse' }], link: 'good', ...options });
  if (as === 'member') {
    made.tokens = [{ id: 't1', label: '宿舍台式机的 VS Code', created: hours(200), expires: hours(-24 * 60), last_used: hours(3) }];
  }
  return made;
}

const portals = new Map<string, MemoryPortal>();

function reader(request: IncomingMessage): MemoryPortal {
  const as = /as=(\w+)/.exec(request.headers.cookie ?? '')?.[1] ?? 'nobody';
  const found = portals.get(as) ?? portalFor(as);
  portals.set(as, found);
  return found;
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const method = request.method ?? 'GET';
  const body = method === 'GET' || method === 'HEAD' ? undefined : Buffer.concat(chunks);
  const headers = { cookie: request.headers.cookie ?? '', 'accept-language': request.headers['accept-language'] ?? '', 'content-type': 'application/json' };
  const said = await reader(request).handle(new Request(`http://portal${request.url}`, { method, headers, body }));
  response.writeHead(said.status, { 'content-type': said.headers.get('content-type') ?? 'application/json' });
  response.end(Buffer.from(await said.arrayBuffer()));
}

function memoryPortal(): Plugin {
  return {
    name: 'jiqi:memory-portal',
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const url = new URL(request.url ?? '/', 'http://portal');
        if (url.pathname.startsWith('/api/')) {
          void answer(request, response);
        } else if ((request.headers.accept ?? '').includes('text/html')) {
          const as = url.searchParams.get('as');
          if (as) portals.delete(as);
          void readFile(`${root}/portal.html`, 'utf8')
            .then((page) => server.transformIndexHtml(url.pathname, page))
            .then((page) => response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...(as ? { 'set-cookie': `as=${as}; Path=/` } : {}) }).end(page));
        } else next();
      });
    },
  };
}

export default defineConfig({
  root,
  appType: 'custom',
  plugins: [memoryPortal()],
  server: { host: '127.0.0.1', port: 5180, hmr: false },
  cacheDir: 'node_modules/.vite-portal',
});
