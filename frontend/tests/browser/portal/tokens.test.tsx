/** Tokens, devices and the password. */
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';

import { person } from '../../../dev/memoryPortal.ts';
import { expectAccessible, mount, scheme } from './mounting.tsx';

const user = person('member', '李华');
const dialog = () => page.getByRole('dialog');

async function make(): Promise<void> {
  await page.getByRole('button', { name: '新建令牌' }).click();
  await dialog().getByRole('textbox', { name: '用途' }).fill('VS Code');
  await dialog().getByRole('button', { name: '新建', exact: true }).click();
}

test('a new token is shown once, with an address that VS Code takes and a program that runs', async () => {
  mount('/tokens', { user });
  await make();
  await expect.element(dialog()).toHaveTextContent('令牌只显示这一次');
  await expect.element(dialog().getByRole('group', { name: '令牌', exact: true })).toHaveTextContent('jq_4kd9sm2vx7c3hq8wzr5t');
  await expect.element(dialog().getByRole('group', { name: 'VS Code' })).toHaveTextContent('http://127.0.0.1:8000/user/u-member/?token=jq_4kd9sm2vx7c3hq8wzr5t');
  await dialog().getByRole('button', { name: 'Python', exact: true }).click();
  await expect.element(dialog()).toHaveTextContent('from jupyter_kernel_client import JupyterKernelClient');
  await expectAccessible();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog()).toHaveTextContent('令牌只显示这一次');
  await dialog().getByRole('button', { name: '我已保存好' }).click();
  await expect.element(page.getByRole('rowheader', { name: 'VS Code' })).toBeVisible();
  expect(document.body.textContent).not.toContain('jq_4kd9sm2vx7c3hq8wzr5t');
});

test('without the clipboard the text is selected for the reader', async () => {
  mount('/tokens', { user });
  await make();
  await expect.element(dialog().getByRole('group', { name: '令牌', exact: true })).toBeVisible();
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: undefined });
  await dialog().getByRole('button', { name: '复制: 令牌' }).click();
  await expect.element(dialog().getByText('浏览器不允许自动复制')).toBeVisible();
  expect(getSelection()?.toString()).toBe('jq_4kd9sm2vx7c3hq8wzr5t');
  delete (navigator as { clipboard?: unknown }).clipboard;
});

test('revoking says what is cut off', async () => {
  const { server } = mount('/tokens', { user });
  await make();
  await dialog().getByRole('button', { name: '我已保存好' }).click();
  await page.getByRole('button', { name: '撤销: VS Code' }).click();
  await expect.element(dialog()).toHaveTextContent('用它连接的程序会在几秒内断开');
  await dialog().getByRole('button', { name: '撤销' }).click();
  await expect.element(page.getByText('还没有令牌。')).toBeVisible();
  expect(server.tokens).toEqual([]);
});

test('another device can be logged out, this one cannot be by mistake', async () => {
  mount('/tokens', { user });
  await expect.element(page.getByRole('rowheader', { name: /Chrome · Windows.*就是这里/ })).toBeVisible();
  await expect.element(page.getByRole('button', { name: '退出: Chrome · Windows' })).not.toBeInTheDocument();
  await page.getByRole('button', { name: '退出: Safari · iOS' }).click();
  await dialog().getByRole('button', { name: '退出' }).click();
  await expect.element(page.getByRole('rowheader', { name: 'Safari · iOS' })).not.toBeInTheDocument();
});

test('changing the password is confirmed and clears the boxes', async () => {
  const { writes } = mount('/tokens', { user });
  await page.getByLabelText('现在的密码').fill('correct horse');
  await page.getByLabelText('新密码').fill('short');
  await page.getByRole('button', { name: '换密码' }).click();
  await expect.element(page.getByLabelText('新密码')).toHaveAccessibleDescription('至少 8 个字符');
  expect(writes()).toEqual([]);
  await page.getByLabelText('新密码').fill('long enough');
  await page.getByRole('button', { name: '换密码' }).click();
  await expect.element(page.getByText('密码已更换，其他浏览器和令牌都已失效。')).toBeVisible();
  await expect.element(page.getByLabelText('新密码')).toHaveValue('');
});

test('a guest has no password to change', async () => {
  mount('/tokens', { user: person('guest', '游客') });
  await expect.element(page.getByRole('heading', { name: '登录的设备' })).toBeVisible();
  await expect.element(page.getByRole('heading', { name: '密码' })).not.toBeInTheDocument();
});

test('the page of keys is accessible in light and dark', async () => {
  mount('/tokens', { user });
  await expect.element(page.getByRole('rowheader', { name: 'Safari · iOS' })).toBeVisible();
  await expectAccessible();
  await scheme('dark');
  await expectAccessible();
});
