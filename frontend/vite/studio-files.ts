/** Writes `studio-files.json`: what the studio loads before it can be edited, for the portal to fetch ahead. */
import type { Plugin, Rolldown } from 'vite';

type Bundle = Rolldown.OutputBundle;

/** The files of the entry whose page is `page`, with all that it imports statically. */
export function staticFiles(bundle: Bundle, page: string): string[] {
  const chunks = Object.values(bundle).filter((output): output is Rolldown.OutputChunk => output.type === 'chunk');
  const files = new Set<string>();
  const visit = (chunk: Rolldown.OutputChunk | undefined): void => {
    if (!chunk || files.has(chunk.fileName)) return;
    files.add(chunk.fileName);
    const meta = (chunk as { viteMetadata?: { importedCss: Set<string> } }).viteMetadata;
    meta?.importedCss.forEach((file) => files.add(file));
    chunk.imports.forEach((name) => visit(chunks.find(({ fileName }) => fileName === name)));
  };
  visit(chunks.find((chunk) => chunk.isEntry && chunk.facadeModuleId?.endsWith(page)));
  return [...files];
}

export function studioFiles(): Plugin {
  return {
    name: 'jiqi:studio-files',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const source = JSON.stringify(staticFiles(bundle, '/notebook.html'));
      this.emitFile({ type: 'asset', fileName: 'studio-files.json', source });
    },
  };
}
