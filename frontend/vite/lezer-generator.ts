/**
 * Stand-in for `@lezer/generator` (100 KB): JupyterLab calls it once, for the grammar `@top Program { }` of plain text.
 * The tables below are what the generator makes of that grammar.
 */
import { LRParser } from '@lezer/lr';

export function buildParser(): LRParser {
  return LRParser.deserialize({
    version: 14,
    states: 'UQOOOOO',
    stateData: 'Q~O',
    goto: 'QPP',
    nodeNames: '⚠ Program',
    maxTerm: 2,
    skippedNodes: [0],
    repeatNodeCount: 0,
    tokenData: 'RORO',
    tokenizers: [],
    topRules: { Program: [0, 1] },
    tokenPrec: 0,
  });
}
