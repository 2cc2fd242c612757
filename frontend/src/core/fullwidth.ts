/** Finds full-width punctuation in Python code outside strings and comments, and mends it. */

export interface FullwidthMark {
  /** Position in the source, in UTF-16 units. */
  at: number;
  /** 1-based line. */
  line: number;
  mark: string;
  instead: string;
}

const INSTEAD: Record<string, string> = {
  '，': ',', '、': ',', '。': '.', '；': ';', '：': ':', '！': '!', '？': '?',
  '（': '(', '）': ')', '【': '[', '】': ']', '［': '[', '］': ']', '｛': '{', '｝': '}',
  '《': '<', '》': '>', '＜': '<', '＞': '>', '＝': '=', '＋': '+', '－': '-', '＊': '*', '／': '/',
  '％': '%', '＆': '&', '｜': '|', '＾': '^', '～': '~', '＠': '@', '＃': '#', '＿': '_', '．': '.',
  '“': '"', '”': '"', '‘': "'", '’': "'", '＂': '"', '＇': "'", '\u3000': ' ',
};

const CLOSING: Record<string, string> = { '“': '”', '‘': '’' };

/** Full-width digits and letters are as much in the way as marks are. */
function replacement(char: string): string | undefined {
  const code = char.charCodeAt(0);
  if ((code >= 0xff10 && code <= 0xff19) || (code >= 0xff21 && code <= 0xff3a) || (code >= 0xff41 && code <= 0xff5a)) {
    return String.fromCharCode(code - 0xfee0);
  }
  return INSTEAD[char];
}

/** The end of the string literal that starts at `start`; a one-quote literal ends with its line at the latest. */
function endOfString(source: string, start: number): number {
  const quote = source[start] ?? '';
  const triple = source.startsWith(quote.repeat(3), start);
  const close = triple ? quote.repeat(3) : quote;
  for (let at = start + close.length; at < source.length; at += 1) {
    if (source[at] === '\\') at += 1;
    else if (source.startsWith(close, at)) return at + close.length;
    else if (!triple && source[at] === '\n') return at;
  }
  return source.length;
}

/** Every full-width mark of the code, in order. What stands between “ and ” is text and stays as it is. */
export function findFullwidth(source: string): FullwidthMark[] {
  const found: FullwidthMark[] = [];
  let line = 1;
  let counted = 0;
  const add = (at: number, instead: string): void => {
    for (; counted < at; counted += 1) if (source[counted] === '\n') line += 1;
    found.push({ at, line, mark: source[at] ?? '', instead });
  };
  for (let at = 0; at < source.length; ) {
    const char = source[at] ?? '';
    if (char === '#') {
      const end = source.indexOf('\n', at);
      at = end < 0 ? source.length : end;
    } else if (char === '"' || char === "'") {
      at = endOfString(source, at);
    } else {
      const instead = replacement(char);
      if (instead !== undefined) add(at, instead);
      at += 1;
      const close = CLOSING[char];
      if (!close) continue;
      const end = source.indexOf(close, at);
      const lineEnd = source.indexOf('\n', at);
      if (end >= 0 && (lineEnd < 0 || end < lineEnd)) at = end;
    }
  }
  return found;
}

/** The source with every found mark replaced by its half-width form; lengths stay the same. */
export function mendFullwidth(source: string): string {
  const chars = source.split('');
  for (const { at, instead } of findFullwidth(source)) chars[at] = instead;
  return chars.join('');
}
