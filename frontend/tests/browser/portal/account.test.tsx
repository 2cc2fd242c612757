/** Login, sign-up and the administrator's link. */
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';

import { person, project } from '../../../dev/memoryPortal.ts';
import { expectAccessible, mount, scheme } from './mounting.tsx';

const accounts = [{ name: 'lihua', password: 'correct horse' }];
const name = () => page.getByRole('textbox', { name: '用户名' });
const password = () => page.getByLabelText('密码', { exact: true });
const submit = (word: string) => page.getByRole('main').getByRole('button', { name: word, exact: true });

async function logIn(secret: string): Promise<void> {
  await name().fill('lihua');
  await password().fill(secret);
  await submit('登录').click();
}

test('empty boxes are named before anything is sent, and the first gets the cursor', async () => {
  const { writes } = mount('/login', { accounts });
  await submit('登录').click();
  await expect.element(name()).toHaveFocus();
  await expect.element(name()).toHaveAccessibleDescription('这一项还没有填');
  expect(writes()).toEqual([]);
  await expectAccessible();
});

test('a wrong password does not say which of the two is wrong, and what was typed stays', async () => {
  mount('/login', { accounts });
  await logIn('wrong');
  await expect.element(page.getByRole('alert')).toHaveTextContent('用户名或密码不对');
  await expect.element(page.getByRole('alert')).toHaveTextContent('login.failed · 编号 r-4821');
  await expect.element(name()).toHaveValue('lihua');
  await scheme('dark');
  await expectAccessible();
});

test('after too many tries the reader is told how long to wait, in his language', async () => {
  mount('/login', { accounts });
  for (let round = 0; round < 11; round += 1) await logIn('wrong');
  await expect.element(page.getByRole('alert')).toHaveTextContent('这个账号尝试次数过多，15 分钟后再试');
  await page.getByRole('button', { name: 'English' }).click();
  await expect.element(page.getByRole('alert')).toHaveTextContent('Too many tries for this account; wait 15 min');
});

test('the right password leads to the page that was wanted', async () => {
  mount('/login?next=%2Flessons', { accounts });
  await logIn('correct horse');
  await expect.element(page.getByRole('heading', { name: '课程', level: 1 })).toBeVisible();
  await expect.element(page.getByRole('button', { name: '账号：lihua' })).toBeVisible();
});

test('a guest with work is asked what becomes of it before he is logged in', async () => {
  const { server, writes } = mount('/login', { accounts, user: person('guest', '游客'), projects: [project('p1', '快递运费')] });
  await logIn('correct horse');
  await expect.element(page.getByRole('radio', { name: '带进这个账号' })).toHaveFocus();
  await expectAccessible();
  expect(server.user?.role).toBe('guest');
  await submit('登录').click();
  await expect.element(page.getByRole('heading', { name: '你好，lihua' })).toBeVisible();
  expect(writes()).toEqual(['POST /login', 'POST /login']);
});

test('signing up as a guest says that work stays, and a taken name is said', async () => {
  mount('/register', { accounts, user: person('guest', '游客') });
  await expect.element(page.getByRole('heading', { name: '保存我的作品' })).toBeVisible();
  await name().fill('lihua');
  await password().fill('short');
  await submit('注册并保留作品').click();
  await expect.element(password()).toHaveAccessibleDescription('至少 8 个字符');
  await password().fill('long enough');
  await submit('注册并保留作品').click();
  await expect.element(page.getByRole('alert')).toHaveTextContent('这个用户名已有人用，请换一个。');
});

test('a common password is refused by the server and said', async () => {
  mount('/register');
  await name().fill('wang');
  await password().fill('password');
  await submit('注册').click();
  await expect.element(page.getByRole('alert')).toHaveTextContent('密码太容易猜到：至少 8 个字符');
});

test('no network is not a wrong password', async () => {
  mount('/login', { before: (request) => (request.method === 'POST' ? Promise.reject(new TypeError('Failed to fetch')) : null) });
  await logIn('correct horse');
  await expect.element(page.getByRole('alert')).toHaveTextContent('刚才的操作可能没有送到');
  await expect.element(page.getByRole('alert')).toHaveTextContent('network.down');
});

test('a password can be looked at', async () => {
  mount('/login');
  await password().fill('correct horse');
  await page.getByRole('button', { name: '显示密码' }).click();
  await expect.element(password()).toHaveAttribute('type', 'text');
});

test('where sign-up is closed, no form is shown', async () => {
  mount('/register', { site: { registration: false } });
  await expect.element(page.getByText('这里不开放注册。请管理员为你建立账号。')).toBeVisible();
  expect(document.querySelector('form')).toBeNull();
});

test('an administrator’s link takes its secret out of the address and makes the first administrator', async () => {
  history.replaceState(null, '', '#good');
  mount('/link', { link: 'good' });
  await expect.element(page.getByRole('heading', { name: '设置管理员' })).toBeVisible();
  expect(location.hash).toBe('');
  await name().fill('校长');
  await password().fill('correct horse');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('heading', { name: '你好，校长' })).toBeVisible();
});

test('a link that was used says how to get another', async () => {
  history.replaceState(null, '', '#old');
  mount('/link', { link: 'good' });
  await expect.element(page.getByRole('alert')).toHaveTextContent('jiqi admin link');
  await expectAccessible();
});

test('another link pasted into the same tab is read too', async () => {
  mount('/link', { link: 'good' });
  await expect.element(page.getByRole('heading', { name: '链接不完整' })).toBeVisible();
  location.hash = 'good';
  await expect.element(page.getByRole('heading', { name: '设置管理员' })).toBeVisible();
  await expect.element(name()).toBeVisible();
});

test('a link without its secret says what is missing', async () => {
  mount('/link');
  await expect.element(page.getByRole('heading', { name: '链接不完整' })).toBeVisible();
});
