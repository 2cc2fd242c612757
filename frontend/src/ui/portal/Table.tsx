/** A table with named columns; on a phone each row is a block and each cell carries its column's name. */
import type { ReactElement, ReactNode } from 'react';

import { Skeleton } from './Skeleton.tsx';
import styles from './table.module.css';

export interface Column<Row> {
  key: string;
  title: string;
  width?: string;
  /** The cell that names the row. */
  head?: boolean;
  /** The column of buttons, at the end. */
  actions?: boolean;
  cell: (row: Row) => ReactNode;
}

interface TableProps<Row> {
  label: string;
  columns: Column<Row>[];
  rows: Row[] | undefined;
  rowKey: (row: Row) => string;
  loading: string;
}

export const small = styles.small;
export const muted = styles.muted;
export const actions = styles.actions;

/** The roles are written out because `display: block` on a phone takes a table's meaning away. */
export function Table<Row>({ label, columns, rows, rowKey, loading }: TableProps<Row>): ReactElement {
  return (
    <div className={styles.box}>
      <table className={styles.table} role="table" aria-label={label} aria-busy={rows === undefined}>
        <colgroup>
          {columns.map((column) => (
            <col key={column.key} style={{ width: column.width }} />
          ))}
        </colgroup>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <th key={column.key} scope="col" role="columnheader" className={column.actions ? styles.end : undefined}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows === undefined
            ? [0, 1, 2].map((row) => (
                <tr key={row} role="row">
                  {columns.map((column) => (
                    <td key={column.key} role="cell">
                      <Skeleton width={column.head ? '70%' : '50%'} />
                    </td>
                  ))}
                </tr>
              ))
            : rows.map((row) => (
                <tr key={rowKey(row)} role="row">
                  {columns.map((column) => (
                    <Cell key={column.key} column={column} row={row} />
                  ))}
                </tr>
              ))}
        </tbody>
      </table>
      {rows === undefined && (
        <span role="status" aria-label={loading}>
          {' '}
        </span>
      )}
    </div>
  );
}

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }): ReactElement {
  if (column.head) {
    return (
      <th scope="row" role="rowheader">
        {column.cell(row)}
      </th>
    );
  }
  return (
    <td role="cell" className={column.actions ? styles.end : undefined} data-label={column.actions ? undefined : column.title}>
      {column.cell(row)}
    </td>
  );
}
