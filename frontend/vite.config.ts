/** Builds the two pages, portal and notebook, to `dist/` with a manifest. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { defineConfig, type Plugin } from 'vite';

import { studioFiles } from './vite/studio-files.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** JupyterLab imports its icons from JavaScript as SVG text; a `url()` in CSS stays an asset. */
export function svgAsText(): Plugin {
  return {
    name: 'jiqi:svg-as-text',
    enforce: 'pre',
    load(id) {
      const file = id.split('?')[0] ?? '';
      if (!file.endsWith('.svg') || !/node_modules\/@jupyter(lab|-widgets)\//.test(file)) return null;
      return { code: `export default ${JSON.stringify(readFileSync(file, 'utf8'))};`, moduleType: 'js' };
    },
  };
}

/** The script that opens the kernel's websocket before any bundle arrives stands inline in the page. */
export function earlyScript(): Plugin {
  return {
    name: 'jiqi:early-script',
    transformIndexHtml: {
      order: 'post',
      handler(html) {
        const source = readFileSync(here('./src/app/early.js'), 'utf8')
          .replace(/\/\*[\s\S]*?\*\//g, '')
          .replace(/^\s+/gm, '')
          .trim();
        return html.replace('<!--jiqi:early-->', () => `<script nonce="__JIQI_NONCE__">\n${source}\n</script>`);
      },
    },
  };
}

export const sharedResolve = {
  alias: [
    { find: /^~(.*)$/, replacement: '$1' },
    { find: '@lezer/generator', replacement: here('./vite/lezer-generator.ts') },
  ],
  dedupe: [
    'react', 'react-dom', 'yjs', 'lib0', '@jupyter/ydoc', '@lumino/widgets', '@lumino/coreutils', '@lumino/messaging',
    '@codemirror/state', '@codemirror/view', '@codemirror/language', '@codemirror/commands',
    '@lezer/common', '@lezer/highlight', '@lezer/lr',
  ],
};

export const sharedDefine = { global: 'globalThis', __dirname: '"/"' };

const pages = { portal: here('./portal.html'), notebook: here('./notebook.html') };

/** `JIQI_PAGES=notebook` builds one page alone while the other is being worked on. */
const wanted = (process.env['JIQI_PAGES'] ?? 'portal,notebook').split(',');

export default defineConfig({
  base: '/static/app/',
  plugins: [svgAsText(), earlyScript(), studioFiles()],
  resolve: sharedResolve,
  define: { ...sharedDefine, 'process.env.NODE_ENV': '"production"' },
  html: { cspNonce: '__JIQI_NONCE__' },
  build: {
    outDir: 'dist',
    manifest: true,
    target: 'es2022',
    assetsInlineLimit: 2048,
    chunkSizeWarningLimit: 4000,
    reportCompressedSize: false,
    rollupOptions: {
      // JupyterLab's page configuration has an `eval` for Node; no browser reaches it.
      checks: { eval: false },
      // antd marks its files for servers that render React; that means nothing here, a thousand times.
      onwarn: (warning, warn) => (warning.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : warn(warning)),
      output: {
        advancedChunks: {
          // MathJax in one request instead of twenty.
          groups: [{ name: 'mathjax', test: /node_modules[\\/](mathjax-full|mj-context-menu|speech-rule-engine)[\\/]/ }],
        },
      },
      input: Object.fromEntries(Object.entries(pages).filter(([name]) => wanted.includes(name))),
    },
  },
  server: { host: '127.0.0.1' },
});
