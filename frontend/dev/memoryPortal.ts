/** The portal's API kept in memory: for looking at pages without the server, and the far end of the browser tests. */
import type { Schemas } from '../src/api/client.ts';

type Project = Schemas['Project'];

export interface Account {
  name: string;
  password: string;
}

export interface MemoryOptions {
  user?: Schemas['Person'] | null;
  projects?: Project[];
  lessons?: Schemas['Lesson'][];
  site?: Partial<Schemas['Site']>;
  accounts?: Account[];
  /** The secret of an administrator's link that is still good. */
  link?: string;
}

const LESSONS: [string, string, string, string, string, number][] = [
  ['first-minute', '一分钟上手', 'One minute to start', '打开就能运行。学会运行、修改、画图和重启，就会用了。', 'It runs as soon as it is open. Learn to run, change, plot and restart.', 5],
  ['autograd', '自动求导与梯度下降：估算快递运费', 'Autograd and gradient descent: what does a parcel cost?', '从一叠旧账单里，用二十行代码把起步价和单价猜出来。', 'Recover a courier’s price list from old receipts in twenty lines of code.', 10],
];

const now = (): string => new Date().toISOString();

export function person(role: Schemas['Person']['role'], name: string): Schemas['Person'] {
  return { id: `u-${role}`, name, role, language: 'zh-CN', created: now() };
}

export function project(id: string, name: string, more: Partial<Project> = {}): Project {
  const stamp = now();
  return { id, name, folder: name, environment: 'torch-cpu', lesson: null, path: `${name}/main.ipynb`, kernels: 0, created: stamp, last_opened: stamp, ...more };
}

export class MemoryPortal {
  user: Schemas['Person'] | null;
  projects: Project[];
  tokens: Schemas['Token'][] = [];
  sessions: Schemas['Session'][];
  readonly asked: string[] = [];
  private readonly site: Schemas['Site'];
  private readonly accounts: Account[];
  private failures = 0;

  constructor(private readonly options: MemoryOptions = {}) {
    this.user = options.user ?? null;
    this.projects = options.projects ?? [];
    this.accounts = options.accounts ?? [];
    const soon = new Date(Date.now() + 86_400_000 * 30).toISOString();
    const agents = ['Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36', 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1'];
    this.sessions = agents.map((agent, index) => ({ id: `s${index}`, agent, created: now(), expires: soon, current: index === 0 }));
    this.site = {
      name: '即启 Jiqi',
      version: '0.1.0',
      portal_url: 'http://localhost:8000',
      notebook_url: 'http://127.0.0.1:8000',
      registration: true,
      isolated: true,
      has_admin: true,
      problem: null,
      ...options.site,
    };
  }

  /** Answers one request as the server would; `fetch` of the tests and the development server both end here. */
  async handle(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    const path = pathname.replace(/^\/api\/v1/, '');
    this.asked.push(`${request.method} ${path}`);
    const text = await request.text();
    const given = (text ? JSON.parse(text) : {}) as Record<string, string>;
    const english = speaksEnglish(request);
    const [, first = '', second = ''] = path.split('/');
    const answer = this.routes(given, english, decodeURIComponent(second))[`${request.method} ${second ? `/${first}/*` : path}`];
    return answer ? answer() : problem(404, 'not_found');
  }

  private routes(given: Record<string, string>, english: boolean, id: string): Record<string, () => Response> {
    return { ...this.account(given), ...this.work(given, english, id), ...this.keys(given, id) };
  }

  private me(): Response {
    return json({ user: this.user, limits: null, session_expires: null, password_fresh_until: null });
  }

  private account(given: Record<string, string>): Record<string, () => Response> {
    return {
      'GET /me': () => this.me(),
      'GET /site': () => json(this.site),
      'PATCH /me': () => this.me(),
      'POST /login': () => this.logIn(given),
      'POST /register': () => this.register(given),
      'POST /logout': () => ((this.user = null), new Response(null, { status: 204 })),
      'POST /link/*': () => (given['secret'] === this.options.link ? json({ kind: 'setup', name: null }) : problem(410, 'ticket.invalid')),
      'POST /link': () => ((this.user = person('admin', given['name'] ?? '')), this.me()),
    };
  }

  private logIn(given: Record<string, string>): Response {
    if (this.failures >= 10) return problem(429, 'login.throttled', { minutes: 15 });
    const found = this.accounts.find(({ name, password }) => name === given['name'] && password === given['password']);
    if (!found) {
      this.failures += 1;
      return problem(401, 'login.failed');
    }
    if (this.user?.role === 'guest' && this.projects.length > 0 && given['guest_work'] === 'ask') {
      return problem(409, 'login.guest_work', { projects: this.projects.length });
    }
    this.user = person('member', found.name);
    return this.me();
  }

  private register(given: Record<string, string>): Response {
    if (this.accounts.some(({ name }) => name === given['name'])) return problem(409, 'account.name_taken', { name: given['name'] });
    if (given['password'] === 'password') return problem(400, 'password.weak', { least: 8 });
    this.user = person('member', given['name'] ?? '');
    return this.me();
  }

  private work(given: Record<string, string>, english: boolean, id: string): Record<string, () => Response> {
    const found = this.projects.find((one) => one.id === id);
    const missing = problem(404, 'not_found');
    return {
      'GET /lessons': () => json({ lessons: this.options.lessons ?? lessons(english, this.site.portal_url) }),
      'GET /environments': () => json({ environments: environments(english), problem: null }),
      'GET /projects': () => (this.user ? json({ projects: this.projects }) : problem(401, 'login.required')),
      'GET /projects/*': () => (found ? json({ project: found, contents: { files: 12, bytes: 3_565_158, kernels: found.kernels } }) : missing),
      'POST /projects': () => {
        const made = project(`p${this.projects.length + 1}`, given['name'] ?? '', { environment: given['environment'] ?? 'torch-cpu' });
        this.projects = [made, ...this.projects];
        return json(made, 201);
      },
      'PATCH /projects/*': () => {
        if (!found) return missing;
        const renamed = { ...found, name: given['name'] ?? found.name };
        this.projects = this.projects.map((one) => (one.id === id ? renamed : one));
        return json(renamed);
      },
      'DELETE /projects/*': () => {
        this.projects = this.projects.filter((one) => one.id !== id);
        return json({ files: 12, bytes: 3_565_158, kernels: 0 });
      },
      'POST /enter': () => (this.user ? json({ enter: { action: `${this.site.notebook_url}/enter`, ticket: 'once', next: `/p/${given['project']}/` }, project: null, kernel: null, problem: null }) : problem(401, 'login.required')),
    };
  }

  private keys(given: Record<string, string>, id: string): Record<string, () => Response> {
    return {
      'GET /tokens': () => json({ tokens: this.tokens }),
      'POST /tokens': () => {
        const days = Number(given['days']);
        const expires = days ? new Date(Date.now() + days * 86_400_000).toISOString() : null;
        const token = { id: `t${this.asked.length}`, label: given['label'] ?? '', created: now(), expires, last_used: null };
        this.tokens = [token, ...this.tokens];
        return json({ token, secret: 'jq_4kd9sm2vx7c3hq8wzr5t', jupyter_url: `${this.site.notebook_url}/user/${this.user?.id}/` }, 201);
      },
      'DELETE /tokens/*': () => ((this.tokens = this.tokens.filter((one) => one.id !== id)), new Response(null, { status: 204 })),
      'GET /sessions': () => json({ sessions: this.sessions }),
      'DELETE /sessions/*': () => ((this.sessions = this.sessions.filter((one) => one.id !== id)), new Response(null, { status: 204 })),
      'POST /password': () => this.me(),
    };
  }
}

/** The cookie decides, then the browser, as on the server. */
function speaksEnglish(request: Request): boolean {
  const cookies = request.headers.get('cookie') ?? globalThis.document?.cookie ?? '';
  const chosen = /jiqi_lang=(\w+)/.exec(cookies)?.[1];
  return (chosen ?? request.headers.get('accept-language') ?? '').startsWith('en');
}

function lessons(english: boolean, origin: string): Schemas['Lesson'][] {
  return LESSONS.map(([id, zh, en, zhSummary, enSummary, minutes]) => ({
    id,
    path: 'start',
    version: '1.0.0',
    title: english ? en : zh,
    summary: english ? enSummary : zhSummary,
    minutes,
    level: 'beginner',
    environment: 'torch-cpu',
    open_url: `${origin}/open/${id}`,
    badge_url: `${origin}/badge/${id}.svg`,
    project: null,
  }));
}

function environments(english: boolean): Schemas['Environment'][] {
  const common = { accelerator: 'cpu', memory_mb: 2048, cpus: 1, network: 'none' as const, isolated: true, available: true };
  return [
    { ...common, name: 'torch-cpu', title: english ? 'PyTorch 2.13 (CPU)' : 'PyTorch 2.13（CPU）', framework: 'torch' },
    { ...common, name: 'paddle-cpu', title: english ? 'PaddlePaddle 3.3 (CPU)' : '飞桨 PaddlePaddle 3.3（CPU）', framework: 'paddle' },
  ];
}

function json(value: unknown, status = 200): Response {
  return Response.json(value, { status });
}

export function problem(status: number, code: string, params: Record<string, unknown> = {}): Response {
  const said = { type: `urn:jiqi:problem:${code}`, title: code, status, detail: `detail of ${code}`, code, params, request_id: 'r-4821' };
  return Response.json(said, { status, headers: { 'content-type': 'application/problem+json' } });
}
