/** JupyterLab's own words in the page's language: the few of its strings that our page can show. */
import { type ITranslator, nullTranslator, type TranslationBundle } from '@jupyterlab/translation';

const zh: Record<string, string> = {
  'Cells': '单元',
  'Click to add a cell.': '点这里添加单元',
  'Show more outputs': '显示更多输出',
  'Show more outputs...': '显示更多输出…',
  'Double click to unfold cell': '双击展开单元',
  'Loading...': '正在加载…',
  'Copy Output to Clipboard': '复制输出',
  'Click to expand': '点击展开',
  'Expand Hidden Code': '展开代码',
  'Collapse': '收起',
  'No Kernel': '没有内核',
  'Python': 'Python',
  'Delete': '删除',
  'Cancel': '取消',
  'Ok': '确定',
  'OK': '确定',
  'Dismiss': '关闭',
  'Cell not executed due to pending input': '这个单元没有运行：另一个单元正在等待输入',
  'The cell has not been executed to avoid kernel deadlock as there is another pending input! Type your input in the input box, press Enter and try again.':
    '请先在等待输入的单元里填好内容并按 Enter，然后再运行。',
  'Show code': '显示代码',
  'Show code cell': '显示代码单元',
  'Show outputs': '显示输出',
  'Code Cell Content': '代码单元',
  'Code Cell Content with Output': '代码单元（有输出）',
  'Collapse Output': '收起输出',
};

const fill = (text: string, args: unknown[]): string =>
  text.replace(/%(\d+)/g, (whole, index: string) => (args[Number(index) - 1] === undefined ? whole : String(args[Number(index) - 1])));

export function studioTranslator(lang: () => string): ITranslator {
  const say = (text: string, ...args: unknown[]): string => fill((lang() === 'zh-CN' ? zh[text] : undefined) ?? text, args);
  return {
    get languageCode() {
      return lang();
    },
    load(domain: string): TranslationBundle {
      const base = nullTranslator.load(domain);
      return Object.assign(Object.create(base) as TranslationBundle, { __: say, gettext: say });
    },
  };
}
