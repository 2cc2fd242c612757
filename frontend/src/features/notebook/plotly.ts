/** Draws plotly figures. */
import type { IRenderMime } from '@jupyterlab/rendermime-interfaces';
import Plotly from 'plotly.js-cartesian-dist-min';

interface Figure {
  data: unknown[];
  layout?: Record<string, unknown>;
  config?: Record<string, unknown>;
  frames?: unknown[];
}

export async function drawPlotly(node: HTMLElement, model: IRenderMime.IMimeModel, mimeType: string): Promise<void> {
  const figure = model.data[mimeType] as unknown as Figure;
  const height = typeof figure.layout?.['height'] === 'number' ? figure.layout['height'] : 420;
  node.style.minHeight = `${height}px`;
  await Plotly.newPlot(node, {
    data: figure.data,
    layout: { autosize: true, height, ...figure.layout },
    config: { responsive: true, displaylogo: false, ...figure.config, plotlyServerURL: '' },
    frames: figure.frames ?? [],
  });
}
