/** Home and lessons, for a newcomer, a guest and a member. */
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';

import { person, project } from '../../../dev/memoryPortal.ts';
import { expectAccessible, mount, scheme } from './mounting.tsx';

test('a newcomer sees one button into lesson 1, the lessons, and nothing is created', async () => {
  const { writes } = mount('/');
  const start = page.getByRole('link', { name: '马上开始，无需注册' });
  await expect.element(start).toHaveAttribute('href', '/open/first-minute?lang=zh-CN');
  await expect.element(page.getByRole('link', { name: '一分钟上手', exact: true })).toHaveAttribute('href', '/lessons/first-minute');
  expect(writes()).toEqual([]);
});

test('home is accessible in light and dark, in both languages', async () => {
  mount('/');
  await expect.element(page.getByRole('link', { name: '一分钟上手', exact: true })).toBeVisible();
  for (const colours of ['light', 'dark'] as const) {
    await scheme(colours);
    await expectAccessible();
  }
  await page.getByRole('button', { name: 'English' }).click();
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Open a link, start coding');
  await expect.element(page.getByRole('link', { name: 'One minute to start', exact: true })).toBeVisible();
  expect(document.documentElement.lang).toBe('en');
  await expectAccessible();
});

test('the page stands when the server does not answer, and says so where the lessons would be', async () => {
  mount('/', { before: () => Promise.reject(new TypeError('Failed to fetch')) });
  await expect.element(page.getByRole('link', { name: '马上开始，无需注册' })).toBeVisible();
  await expect.element(page.getByRole('alert')).toHaveTextContent('连不上服务器');
  await expect.element(page.getByRole('alert').getByRole('button', { name: '再试一次' })).toBeVisible();
});

test('a guest is offered to keep his work, and goes on where he stopped', async () => {
  mount('/', { user: person('guest', '游客'), projects: [project('p1', '快递运费')] });
  await expect.element(page.getByRole('link', { name: '保存我的作品' })).toHaveAttribute('href', '/register');
  await expect.element(page.getByRole('heading', { name: '快递运费', exact: true })).toBeVisible();
  await expectAccessible();
});

test('a member without projects reads what to do', async () => {
  mount('/', { user: person('member', '李华') });
  await expect.element(page.getByText('这里还没有项目。新建一个，或从课程「复制为我的项目」。')).toBeVisible();
});

test('a host that does not isolate is announced on every page', async () => {
  mount('/lessons', { site: { isolated: false } });
  await expect.element(page.getByText('本机没有 Docker：代码不隔离，仅限本机使用。')).toBeVisible();
  await expectAccessible();
});

test('a lesson’s page has its way in and its badge', async () => {
  mount('/lessons/autograd');
  await expect.element(page.getByRole('link', { name: '打开课程' })).toHaveAttribute('href', '/open/autograd?lang=zh-CN');
  await expect.element(page.getByRole('group', { name: 'Markdown' })).toHaveTextContent('[![在即启中打开](http://localhost:8000/badge/autograd.svg)](http://localhost:8000/open/autograd)');
  await expectAccessible();
});

test('no lessons, an unknown lesson and an unknown page each say what to do', async () => {
  mount('/lessons', { lessons: [] });
  await expect.element(page.getByText('还没有课程。')).toBeVisible();
});

test('an unknown lesson is said to be unknown', async () => {
  mount('/lessons/nope');
  await expect.element(page.getByRole('alert')).toHaveTextContent('没有找到这个课程，链接可能已更新。');
});

test('an unknown page leads home', async () => {
  mount('/nowhere');
  await expect.element(page.getByRole('link', { name: '回到首页' })).toHaveAttribute('href', '/');
  await expectAccessible();
});

test('while no kernel can start, every page says so with the code', async () => {
  mount('/', { site: { problem: 'docker.down' } });
  await expect.element(page.getByText('现在不能启动新的代码')).toBeVisible();
  await expect.element(page.getByText('错误代码 docker.down')).toBeVisible();
});
