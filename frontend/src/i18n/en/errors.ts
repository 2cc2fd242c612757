/** What went wrong, by the stable code of the problem: what happened, what became of your work, what to do now. */
import type { errors as source } from '../zh-CN/errors.ts';

export const errors: Record<keyof typeof source, string> = {
  'error.login.failed': 'Wrong name or password',
  'error.login.throttled': 'Too many tries for this account; wait {minutes} min',
  'error.login.required': 'Your login has expired. Log in again; your files are all there.',
  'error.account.name_taken': 'Somebody has this name already; choose another.',
  'error.password.weak': 'Too easy to guess: at least {least} characters, and not a common one.',
  'error.ticket.invalid': 'This link was used already or is too old. Print a new one: jiqi admin link.',
  'error.input.invalid': 'Something does not fit, so nothing was sent. Check what you typed and try again.',
  'error.forbidden': 'You may not do this. Ask an administrator.',
  'error.not_found': 'Not found; the link may have changed.',
  'error.environment.unknown': 'There is no environment “{environment}”. Choose another; the project is unchanged.',
  'error.host.full': 'Busy now, the host is full. Your files are there; it starts when somebody leaves.',
  'error.host.down': 'The host that runs code does not answer. Your files are safe; an administrator can run jiqi doctor.',
  'error.kernel.limit': 'You run as many notebooks as you may. Stop one, then open another.',
  'error.disk.full': 'The server’s disk is full. Nothing is damaged; ask an administrator to free some space.',
  'error.disk.quota': 'Your space is full. Nothing is damaged; delete or download some files, then try again.',
  'error.unavailable': 'A part of the platform does not answer just now. Your files are safe; try again in a while.',
  'error.xsrf': 'The page was open too long for its security check. Reload and try again; type once more what you typed.',
  'error.network.down': 'Cannot reach the server: you are offline, or it is restarting. What you just did may not have arrived; try again once connected.',
  'error.internal': 'Our fault; your files are safe. Give the reference to an administrator to find the cause sooner.',
};
