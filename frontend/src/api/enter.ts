/** The way to the notebook's origin: a one-time ticket, carried there by a form. */
import { api, body, type Schemas } from './client.ts';

/** Asks for the way into a project; the server starts its kernel meanwhile. */
export function enterProject(project: string, path = ''): Promise<Schemas['Opened']> {
  return body(api.POST('/api/v1/enter', { body: { project, path } }));
}

/** Leaves the portal. A form carries the ticket in its body, so that no address, history or log holds it. */
export function go({ action, ticket, next }: Schemas['Enter']): void {
  const form = document.createElement('form');
  form.method = 'post';
  form.action = action;
  form.hidden = true;
  for (const [name, value] of Object.entries({ ticket, next })) {
    const input = document.createElement('input');
    input.type = 'hidden';
    input.name = name;
    input.value = value;
    form.append(input);
  }
  document.body.append(form);
  form.submit();
  form.remove();
}
