/** Texts to copy: the badge of a lesson for other sites, and how programs connect with a token. */

export interface BadgeTexts {
  link: string;
  markdown: string;
  html: string;
}

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`);

/** Markdown reads `[`, `]` and `\` inside an image's text; everything else stands as it is. */
const escapeMarkdown = (text: string): string => text.replace(/[[\]\\]/g, '\\$&');

/** The texts of a badge: `image` at the lesson's `link`, with `alt` for readers who do not see images. */
export function badgeTexts({ link, image, alt }: { link: string; image: string; alt: string }): BadgeTexts {
  return {
    link,
    markdown: `[![${escapeMarkdown(alt)}](${image})](${link})`,
    html: `<a href="${escapeHtml(link)}"><img src="${escapeHtml(image)}" alt="${escapeHtml(alt)}"></a>`,
  };
}

/** An address with the token in it: what VS Code and JupyterLab ask for. */
export function serverUrl(server: string, token: string): string {
  const base = server.endsWith('/') ? server : `${server}/`;
  return `${base}?token=${encodeURIComponent(token)}`;
}

/** A program that runs one cell through `jupyter-kernel-client`. */
export function pythonExample(server: string, token: string): string {
  const url = server.replace(/\/$/, '');
  return [
    'from jupyter_kernel_client import JupyterKernelClient',
    '',
    `with JupyterKernelClient(server_url=${JSON.stringify(url)}, token=${JSON.stringify(token)}) as kernel:`,
    '    print(kernel.execute("import torch; torch.__version__")["outputs"])',
  ].join('\n');
}
