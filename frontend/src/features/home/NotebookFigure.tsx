/** The home page's drawing: a notebook whose cell has just run. Its numbers come from running the same loop. */
import type { ReactElement, ReactNode } from 'react';

import { descend, lossPath, MOMENTUM, RATE, STEPS } from '../../core/portal/descent.ts';
import { useWords } from '../../ui/portal/Words.tsx';
import styles from './figure.module.css';

const RECEIPTS = { weight: [1, 2, 3, 5, 8], price: [11, 13, 16, 20, 28] };
const RUN = descend(RECEIPTS);
const PLOT = { width: 400, height: 96 };
const CURVE = lossPath(RUN.losses, PLOT);

/** One float makes them all floats, in torch as here. */
const list = (values: number[]): ReactNode =>
  values.flatMap((value, index) => [
    index > 0 ? ', ' : '',
    <N key={value}>
      {value}
      {index === values.length - 1 && '.'}
    </N>,
  ]);

const K = ({ children }: { children: ReactNode }): ReactElement => <span className={styles.keyword}>{children}</span>;
const N = ({ children }: { children: ReactNode }): ReactElement => <span className={styles.number}>{children}</span>;
const C = ({ children }: { children: ReactNode }): ReactElement => <span className={styles.comment}>{children}</span>;
const B = ({ children }: { children: ReactNode }): ReactElement => <span className={styles.builtin}>{children}</span>;

export function NotebookFigure(): ReactElement {
  const { t } = useWords();
  const first = RUN.losses[0]?.toFixed(0) ?? '';
  const last = RUN.losses.at(-1)?.toFixed(2) ?? '';
  return (
    <figure className={styles.figure} role="img" aria-label={t('figure.label', { first, last })}>
      <div aria-hidden="true">
        <div className={styles.bar}>
          <span className={styles.file}>{t('figure.file')}</span>
          <span className={styles.chip}>{t('figure.ready')}</span>
        </div>
        <div className={styles.cell}>
          <span className={styles.prompt}>
            <span className={styles.running}>[*]</span>
            <span className={styles.done}>[1]</span>
          </span>
          <Code />
        </div>
        <div className={styles.cell}>
          <span />
          <div className={styles.output}>
            <p className={styles.answer}>{t('figure.answer', { w: RUN.w.toFixed(2), b: RUN.b.toFixed(2) })}</p>
            <Plot title={t('figure.plot')} step={t('figure.step')} first={first} last={last} />
          </div>
        </div>
        <div className={styles.cell}>
          <span className={styles.prompt}>[ ]</span>
          <div className={styles.next}>
            <span className={styles.caret} />
          </div>
        </div>
        <div className={styles.tail} />
      </div>
    </figure>
  );
}

function Code(): ReactElement {
  const { t } = useWords();
  return (
    <pre className={styles.code}>
      x = torch.tensor([{list(RECEIPTS.weight)}])
      <C>{'       '}# {t('figure.weight')}</C>
      {'\n'}y = torch.tensor([{list(RECEIPTS.price)}])
      <C>{'  '}# {t('figure.price')}</C>
      {'\n'}p = torch.zeros(<N>2</N>, requires_grad=<K>True</K>){'\n'}v = <N>0</N>
      {'\n'}
      <K>for</K> step <K>in</K> <B>range</B>(<N>{STEPS}</N>):{'\n'}
      {'    '}error = p[<N>0</N>] * x + p[<N>1</N>] - y{'\n'}
      {'    '}loss = (error ** <N>2</N>).mean(){'\n'}
      {'    '}grad, = torch.autograd.grad(loss, p){'\n'}
      {'    '}v = <N>{MOMENTUM}</N> * v - <N>{RATE}</N> * grad{'\n'}
      {'    '}p.data += v
    </pre>
  );
}

interface PlotProps {
  title: string;
  step: string;
  first: string;
  last: string;
}

/** The loss on a logarithmic axis, drawn from left to right as it fell. */
function Plot({ title, step, first, last }: PlotProps): ReactElement {
  const left = 48;
  const top = 28;
  const right = left + PLOT.width;
  const bottom = top + PLOT.height;
  return (
    <svg className={styles.plot} viewBox={`0 0 ${right + 12} ${bottom + 24}`}>
      <text className={styles.plotTitle} x={left + PLOT.width / 2} y={14} textAnchor="middle">
        {title}
      </text>
      {[0, 1 / 3, 2 / 3].map((part) => (
        <path key={part} className={styles.gridline} d={`M${left} ${top + PLOT.height * part}H${right}`} />
      ))}
      <path className={styles.axis} d={`M${left} ${top}V${bottom}H${right}`} fill="none" />
      <text className={styles.label} x={left - 6} y={top + 4} textAnchor="end">
        {first}
      </text>
      <text className={styles.label} x={left - 6} y={bottom} textAnchor="end">
        {last}
      </text>
      <text className={styles.label} x={left} y={bottom + 18} textAnchor="middle">
        0
      </text>
      <text className={styles.label} x={right} y={bottom + 18} textAnchor="end">
        {STEPS} {step}
      </text>
      <g transform={`translate(${left} ${top})`}>
        <path className={styles.curve} d={CURVE} pathLength={1} />
        <circle className={styles.end} cx={PLOT.width} cy={PLOT.height} r={3.5} />
      </g>
    </svg>
  );
}
