/** Draws Vega and Vega-Lite (altair). */
import type { IRenderMime } from '@jupyterlab/rendermime-interfaces';
import embed, { type VisualizationSpec } from 'vega-embed';

export async function drawVega(node: HTMLElement, model: IRenderMime.IMimeModel, mimeType: string): Promise<void> {
  const spec = model.data[mimeType] as unknown as VisualizationSpec;
  const metadata = (model.metadata[mimeType] ?? {}) as { embed_options?: object };
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  const host = document.createElement('div');
  node.replaceChildren(host);
  await embed(host, spec, {
    mode: mimeType.includes('vegalite') ? 'vega-lite' : 'vega',
    // The interpreter needs no `eval`, which the content policy refuses.
    ast: true,
    actions: { export: true, source: false, compiled: false, editor: false },
    ...(dark ? { theme: 'dark' as const, config: { background: 'transparent' } } : {}),
    ...metadata.embed_options,
  });
}
