/** MathJax with its stylesheet and fonts, from our own host. */
import '@jupyterlab/mathjax-extension/style/base.css';

import { MathJaxTypesetter } from '@jupyterlab/mathjax-extension';
import type { IRenderMime } from '@jupyterlab/rendermime-interfaces';

export const makeTypesetter = (): IRenderMime.ILatexTypesetter => new MathJaxTypesetter();
