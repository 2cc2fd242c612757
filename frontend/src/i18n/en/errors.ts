/** What went wrong, by the stable code of the problem: what happened, what became of your work, what to do now. */
import type { errors as source } from '../zh-CN/errors.ts';

export const errors: Record<keyof typeof source, string> = {
  'error.login.failed': 'Wrong name or password',
  'error.login.throttled': 'Too many tries for this account; wait {minutes} min',
  'error.login.required': 'Your login has expired. Log in again; your files are all there.',
  'error.account.name_taken': 'Somebody has this name already; choose another.',
  'error.account.already': 'You are logged in to an account. Log out first to make another.',
  'error.registration.closed': 'Sign-up is closed here. Ask an administrator for an account.',
  'error.project.limit': 'You have as many projects as you may. Delete one that you do not need, then create another.',
  'error.lesson.unknown': 'There is no such lesson; the link may have changed.',
  'error.password.weak': 'Too easy to guess: at least {least} characters, and not a common one.',
  'error.ticket.invalid': 'This link was used already or is too old. Print a new one: jiqi admin link.',
  'error.input.invalid': 'Something does not fit, so nothing was sent. Check what you typed and try again.',
  'error.not_found': 'Not found; the link may have changed.',
  'error.unavailable': 'A part of the platform does not answer just now. Your files are safe; try again in a while.',
  'error.xsrf.refused': 'The page was open too long for its security check. Reload and try again; type once more what you typed.',
  'error.network.down': 'Cannot reach the server: you are offline, or it is restarting. What you just did may not have arrived; try again once connected.',
  'error.internal': 'Our fault; your files are safe. Give the reference to an administrator to find the cause sooner.',
};
