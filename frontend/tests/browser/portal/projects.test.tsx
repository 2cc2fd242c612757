/** My projects: open, make, rename, delete, and every state of the list. */
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';

import { person, project } from '../../../dev/memoryPortal.ts';
import { expectAccessible, mount, scheme } from './mounting.tsx';

const user = person('member', '李华');
const some = [project('p1', '快递运费', { lesson: 'autograd', kernels: 1 }), project('p2', '手写数字')];
const dialog = () => page.getByRole('dialog');

/** The form that leaves for the notebook's origin is kept here instead of being followed. */
function forms(): { action: string; fields: Record<string, string> }[] {
  const sent: { action: string; fields: Record<string, string> }[] = [];
  vi.spyOn(HTMLFormElement.prototype, 'submit').mockImplementation(function (this: HTMLFormElement) {
    sent.push({ action: this.action, fields: Object.fromEntries([...new FormData(this)].map(([key, value]) => [key, String(value)])) });
  });
  return sent;
}

test('opening a project carries a ticket to the notebook’s origin in a form, never in an address', async () => {
  const sent = forms();
  mount('/projects', { user, projects: some });
  await page.getByRole('button', { name: '打开: 快递运费' }).click();
  await expect.poll(() => sent).toEqual([{ action: 'http://127.0.0.1:8000/enter', fields: { ticket: 'once', next: '/p/p1/' } }]);
});

test('the list is accessible in light and dark', async () => {
  mount('/projects', { user, projects: some });
  await expect.element(page.getByRole('rowheader', { name: '快递运费' })).toBeVisible();
  await expectAccessible();
  await scheme('dark');
  await expectAccessible();
});

test('somebody who is not logged in is shown the way, and comes back', async () => {
  mount('/projects');
  await expect.element(page.getByRole('main').getByRole('link', { name: '登录' })).toHaveAttribute('href', '/login?next=%2Fprojects');
});

test('a new project is made once, with the environment that was chosen, and opened', async () => {
  const sent = forms();
  const { server, writes } = mount('/projects?new', { user });
  await page.getByRole('radio', { name: /飞桨/ }).click();
  await page.getByRole('button', { name: '新建并打开' }).click();
  await expect.element(dialog()).toHaveTextContent('这一项还没有填');
  await dialog().getByRole('textbox').fill('  文件 名 <\'&">  ');
  await expectAccessible();
  await page.getByRole('button', { name: '新建并打开' }).click();
  await expect.poll(() => sent.length).toBe(1);
  expect(server.projects[0]).toMatchObject({ name: '文件 名 <\'&">', environment: 'paddle-cpu' });
  expect(writes()).toEqual(['POST /projects', 'POST /enter']);
});

test('a refused new project keeps what was typed and says why', async () => {
  const refused = Response.json(
    { title: 'x', detail: '项目数量已到上限', status: 409, code: 'project.limit', params: {}, request_id: 'r9' },
    { status: 409 },
  );
  mount('/projects?new', { user, before: (request) => (request.method === 'POST' ? Promise.resolve(refused.clone()) : null) });
  await dialog().getByRole('textbox').fill('第 101 个');
  await page.getByRole('button', { name: '新建并打开' }).click();
  await expect.element(dialog().getByRole('alert')).toHaveTextContent('project.limit');
  await expect.element(dialog().getByRole('textbox')).toHaveValue('第 101 个');
});

test('deleting says what is lost and waits for the name', async () => {
  const { server } = mount('/projects', { user, projects: some });
  await page.getByRole('button', { name: '更多操作：快递运费' }).click();
  await page.getByRole('menuitem', { name: '删除' }).click();
  await expect.element(dialog()).toHaveTextContent('文件夹「快递运费」里的全部文件会被删除，不能恢复');
  await expect.element(dialog()).toHaveTextContent('12 个文件，共 3.4 MB · 1 个正在运行');
  const remove = dialog().getByRole('button', { name: '删除全部文件' });
  await expect.element(remove).toBeDisabled();
  await dialog().getByRole('textbox').fill('快递');
  await expect.element(remove).toBeDisabled();
  await dialog().getByRole('textbox').fill('快递运费');
  await expectAccessible();
  await remove.click();
  await expect.element(page.getByRole('rowheader', { name: '快递运费' })).not.toBeInTheDocument();
  expect(server.projects.map(({ id }) => id)).toEqual(['p2']);
});

test('renaming changes the name and says that the folder stays', async () => {
  mount('/projects', { user, projects: some });
  await page.getByRole('button', { name: '更多操作：手写数字' }).click();
  await page.getByRole('menuitem', { name: '改名' }).click();
  await expect.element(dialog()).toHaveTextContent('文件夹「手写数字」和里面的文件都不动');
  await dialog().getByRole('textbox').fill('a/b');
  await dialog().getByRole('button', { name: '改名' }).click();
  await expect.element(dialog()).toHaveTextContent('名字里不能有 / 或 \\');
  await dialog().getByRole('textbox').fill('手写数字，第二版');
  await dialog().getByRole('button', { name: '改名' }).click();
  await expect.element(page.getByRole('rowheader', { name: /手写数字，第二版/ })).toBeVisible();
});

test('an empty list, a list that does not come, and a long list each have their own face', async () => {
  mount('/projects', { user, projects: Array.from({ length: 30 }, (_, index) => project(`m${index}`, `实验 ${index}`)) });
  await page.getByRole('textbox', { name: '按名称查找' }).fill('２9');
  await expect.element(page.getByRole('rowheader', { name: '实验 29' })).toBeVisible();
  expect(document.querySelectorAll('tbody tr')).toHaveLength(1);
  await page.getByRole('textbox', { name: '按名称查找' }).fill('没有');
  await expect.element(page.getByText('没有名称包含「没有」的项目。')).toBeVisible();
});

test('a list that cannot be read offers another try, which works', async () => {
  let broken = true;
  const before = (request: Request) =>
    broken && request.url.endsWith('/projects') ? Promise.resolve(Response.json({ title: 'x', status: 500, code: 'internal', detail: '平台出了问题', params: {}, request_id: 'r7' }, { status: 500 })) : null;
  mount('/projects', { user, projects: some, before });
  await expect.element(page.getByRole('alert')).toHaveTextContent('编号 r7');
  broken = false;
  await page.getByRole('button', { name: '再试一次' }).click();
  await expect.element(page.getByRole('rowheader', { name: /快递运费/ })).toBeVisible();
});

test('a login that ended elsewhere turns the list into the way back', async () => {
  const { server } = mount('/projects', { user, projects: some });
  await expect.element(page.getByRole('rowheader', { name: '手写数字' })).toBeVisible();
  server.user = null;
  await page.getByRole('button', { name: '打开: 手写数字' }).click();
  await expect.element(page.getByRole('main').getByRole('link', { name: '登录' })).toHaveAttribute('href', '/login?next=%2Fprojects');
});

test('a browser that thinks itself offline still asks, for the server may be this machine', async () => {
  mount('/projects', { user, projects: some });
  await expect.element(page.getByRole('rowheader', { name: '手写数字' })).toBeVisible();
  window.dispatchEvent(new Event('offline'));
  await page.getByRole('button', { name: '更多操作：手写数字' }).click();
  await page.getByRole('menuitem', { name: '改名' }).click();
  await dialog().getByRole('textbox').fill('离线也行');
  await dialog().getByRole('button', { name: '改名' }).click();
  await expect.element(page.getByRole('rowheader', { name: /离线也行/ })).toBeVisible();
  window.dispatchEvent(new Event('online'));
});
