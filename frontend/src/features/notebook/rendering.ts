/** The output renderers; everything large is a chunk of its own that loads with its first use. */
import type { EditorLanguageRegistry } from '@jupyterlab/codemirror';
// Imported here, the parser is in the page's bundle (18 KB): text that came a moment later would push the cells down.
import 'marked';
import 'marked-gfm-heading-id';
import 'marked-mangle';

import { createMarkdownParser } from '@jupyterlab/markedparser-extension';
import {
  htmlRendererFactory,
  RenderedHTML,
  RenderMimeRegistry,
  standardRendererFactories,
} from '@jupyterlab/rendermime';
import type { IRenderMime } from '@jupyterlab/rendermime-interfaces';
import type { ITranslator } from '@jupyterlab/translation';
import { Widget } from '@lumino/widgets';

const MATH = /[$\\]/;

/** MathJax comes when a text has a formula in it. */
class LazyTypesetter implements IRenderMime.ILatexTypesetter {
  private loading: Promise<IRenderMime.ILatexTypesetter> | null = null;

  typeset(node: HTMLElement): void {
    if (!MATH.test(node.textContent ?? '')) return;
    this.loading ??= import('./math.ts').then((math) => math.makeTypesetter());
    void this.loading.then((typesetter) => typesetter.typeset(node));
  }
}

/** Scripts in a trusted output carry the page's nonce: the content policy knows none but those. */
export function withNonce(html: string, nonce: string): string {
  return nonce ? html.replace(/<script(?=[\s>])/gi, `<script nonce="${nonce}"`) : html;
}

const pageNonce = (): string => document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

class StudioHtml extends RenderedHTML {
  override async render(model: IRenderMime.IMimeModel): Promise<void> {
    const html = model.data['text/html'];
    if (!model.trusted || typeof html !== 'string') return super.render(model);
    const data = { ...model.data, 'text/html': withNonce(html, pageNonce()) };
    return super.render(Object.create(model, { data: { value: data } }) as IRenderMime.IMimeModel);
  }
}

type Draw = (node: HTMLElement, model: IRenderMime.IMimeModel, mimeType: string) => Promise<void>;

/** A renderer whose drawing code is a lazy chunk. */
class LazyRenderer extends Widget implements IRenderMime.IRenderer {
  constructor(
    private readonly mimeType: string,
    private readonly load: () => Promise<Draw>,
  ) {
    super();
    this.addClass('jq-LazyOutput');
  }

  async renderModel(model: IRenderMime.IMimeModel): Promise<void> {
    this.node.classList.add('jq-is-loading');
    try {
      const draw = await this.load();
      await draw(this.node, model, this.mimeType);
    } catch (error) {
      this.node.textContent = `${this.mimeType}: ${String(error)}`;
      this.node.classList.add('jq-is-broken');
    } finally {
      this.node.classList.remove('jq-is-loading');
    }
  }
}

// altair 6 writes `.json` where all before it wrote `+json`.
const versions = (name: string): string[] =>
  [2, 3, 4, 5, 6].flatMap((version) => ['+json', '.json'].map((suffix) => `application/vnd.${name}.v${version}${suffix}`));
const VEGA = versions('vega');
const VEGALITE = versions('vegalite');
const PLOTLY = ['application/vnd.plotly.v1+json'];

function lazyFactory(mimeTypes: string[], load: () => Promise<Draw>): IRenderMime.IRendererFactory {
  // Before text/html, which altair and plotly send as a fallback with a script from a CDN in it.
  const make = ({ mimeType }: IRenderMime.IRendererOptions): IRenderMime.IRenderer => new LazyRenderer(mimeType, load);
  return { safe: true, mimeTypes, defaultRank: 20, createRenderer: make };
}

export interface RenderingOptions {
  languages: EditorLanguageRegistry;
  resolver: IRenderMime.IResolver;
  translator: ITranslator;
}

export function makeRendermime({ languages, resolver, translator }: RenderingOptions): RenderMimeRegistry {
  const html: IRenderMime.IRendererFactory = { ...htmlRendererFactory, createRenderer: (options) => new StudioHtml(options) };
  return new RenderMimeRegistry({
    initialFactories: [
      ...standardRendererFactories.map((factory) => (factory === htmlRendererFactory ? html : factory)),
      lazyFactory([...VEGA, ...VEGALITE], async () => (await import('./vega.ts')).drawVega),
      lazyFactory(PLOTLY, async () => (await import('./plotly.ts')).drawPlotly),
    ],
    latexTypesetter: new LazyTypesetter(),
    markdownParser: createMarkdownParser(languages),
    resolver,
    translator,
  });
}
