/** Uploads one file as a raw body with progress; the browser streams it from disk. */
import type { Problem } from './boot.ts';
import { ProblemError, UnreachableError } from './problems.ts';

export interface UploadTask {
  done: Promise<void>;
  cancel(): void;
}

export class UploadCancelledError extends Error {}

/** Starts at once. `progress` gets bytes sent of bytes in all. */
export function upload(
  url: string,
  file: Blob,
  options: { headers: Record<string, string>; progress: (sent: number, total: number) => void },
): UploadTask {
  const request = new XMLHttpRequest();
  const done = new Promise<void>((resolve, reject) => {
    request.upload.onprogress = (event) => options.progress(event.loaded, event.total);
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) resolve();
      else reject(new ProblemError(problemFrom(request)));
    };
    request.onerror = () => reject(new UnreachableError(url));
    request.onabort = () => reject(new UploadCancelledError(url));
    request.open('PUT', url);
    request.setRequestHeader('Content-Type', 'application/octet-stream');
    for (const [name, value] of Object.entries(options.headers)) request.setRequestHeader(name, value);
    request.send(file);
  });
  return { done, cancel: () => request.abort() };
}

function problemFrom(request: XMLHttpRequest): Problem {
  const fallback = { title: request.statusText, status: request.status, code: `http.${request.status}` };
  try {
    return { ...fallback, ...(JSON.parse(request.responseText) as Partial<Problem>) };
  } catch {
    return fallback;
  }
}

/** 1.5 MB and the like; units of 1024 as file managers show them. */
export function bytesText(bytes: number | null): string {
  if (bytes === null) return '';
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  for (; value >= 1024 && unit < units.length - 1; unit += 1) value /= 1024;
  return `${value >= 10 || unit === 0 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}
