import { createHash } from 'node:crypto';
import type { Problem } from '@telecine/contract/domain/problem.ts';
import { sizeText } from '@telecine/contract/domain/quantity.ts';
import { plainText } from '@telecine/contract/domain/text-validation.ts';
import { PROBLEMS } from '@telecine/contract/wire/problem.ts';
import type { NamedFile } from '../../files/named-files.ts';

/** The most files that a page lists. The zip has all of them. */
export const MAX_LISTED = 200;

/** The page has its style sheet inside, so that it needs no other file of the service. */
const STYLE = `
:root { color-scheme: light dark; --ink: light-dark(#221f1b, #eeeae4); --soft: light-dark(#5f584f, #aca398);
  --paper: light-dark(#f7f5f2, #171614); --surface: light-dark(#fff, #1f1d1b); --line: light-dark(#ddd8d0, #37332f);
  --fill: light-dark(#8a5300, #f0a92b); --on-fill: light-dark(#fff, #221a0a); }
* { box-sizing: border-box; }
body { margin: 0; padding: clamp(1rem, 4vw, 3rem); background: var(--paper); color: var(--ink);
  font: 1rem / 1.5 system-ui, "Segoe UI", Roboto, sans-serif; }
main { display: grid; gap: 1.25rem; max-width: 60rem; margin: 0 auto; }
h1 { margin: 0; font-size: 1.5rem; overflow-wrap: anywhere; }
p { margin: 0; color: var(--soft); }
video, img { display: block; width: 100%; max-height: 75vh; object-fit: contain; border-radius: 8px; background: #000; }
img { background: none; }
audio { width: 100%; }
ul { display: grid; gap: 0; margin: 0; padding: 0; list-style: none; }
li { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0.25rem 1rem; padding: 0.6rem 0;
  border-top: 1px solid var(--line); overflow-wrap: anywhere; }
li span { color: var(--soft); }
a { color: var(--fill); }
a.button { justify-self: start; padding: 0.6rem 1.6rem; border-radius: 8px; background: var(--fill); color: var(--on-fill);
  font-weight: 600; text-decoration: none; }
a:focus-visible { outline: 2px solid var(--fill); outline-offset: 3px; }
`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** A page, and its Content-Security-Policy. */
interface Page {
  readonly html: string;
  readonly policy: string;
}

/** What the page shows. */
interface SharePage {
  /** See `NamedFiles.title`. */
  readonly title: string;
  /** The number of all files, and their size together. */
  readonly count: number;
  readonly sizeBytes: number;
  /** The first files, at most `MAX_LISTED`. */
  readonly files: readonly NamedFile[];
  /** The secret of the link. Addresses are relative to `/s/`, so that they also work behind a proxy with a path prefix. */
  readonly link: string;
  readonly expiresAt: string;
  /** The origins to which downloads may be redirected. */
  readonly origins: readonly string[];
}

/**
 * The page of a shared link: the names and sizes of the files, a player, and the download. It has no script. The links have
 * no attribute `download`, because a browser would then not show the page about a problem.
 */
export function sharePage({ title, count, sizeBytes, files, link, expiresAt, origins }: SharePage): Page {
  const addressOf = ({ name }: NamedFile): string =>
    `${link}/files/${name.split('/').map(encodeURIComponent).join('/')}`;
  const [only] = count === 1 ? files : [];
  const heading = only?.name ?? title;
  const number = count === 1 ? '' : `${count} files, `;
  const until = new Date(expiresAt).toUTCString().replace(/:\d\d GMT$/, ' UTC');
  const played = only ?? files.find(({ name }) => playerOf(name) !== undefined);
  const body = [
    `<h1>${escaped(heading)}</h1>`,
    `<p>${number}${sizeText(sizeBytes)}. The link works until <time datetime="${escaped(expiresAt)}">${escaped(until)}</time>.</p>`,
    // Watching is not a download. See `uses`.
    played === undefined ? '' : player(played.name, `${addressOf(played)}?page=true`),
    only === undefined
      ? `<a class="button" href="${link}/files.zip">Download all as one zip</a>`
      : `<a class="button" href="${addressOf(only)}">Download</a>`,
    only === undefined ? `<ul>${files.map((file) => line(file, addressOf(file))).join('')}</ul>` : '',
    count > files.length ? `<p>and ${count - files.length} more in the zip</p>` : '',
  ];
  return { html: document(heading, body.join('\n')), policy: policyFor(origins) };
}

/** The statuses of problems after which a link opens nothing any more, or not this file. */
const ENDED: ReadonlySet<number> = new Set([403, 404, 410]);

/**
 * The page about a problem with a link: it opens nothing, or only later, because a limit is reached or the service is busy.
 * undefined: it says nothing to a person who opens a link.
 */
export function problemPage({ code, message, retryAfterSeconds }: ShownProblem): Page | undefined {
  if (ENDED.has(PROBLEMS[code].status)) return shortPage('This link opens nothing', message);
  if (retryAfterSeconds === undefined) return undefined;
  const why =
    PROBLEMS[code].status === 429
      ? 'Too many downloads run at the same time.'
      : 'The service has too much to do, or a part of it is away.';
  const seconds = Math.ceil(retryAfterSeconds);
  return shortPage(
    'Try again soon',
    `${why} The link still works: try again in ${seconds} second${seconds === 1 ? '' : 's'}.`,
  );
}

type ShownProblem = Pick<Problem, 'code' | 'message' | 'retryAfterSeconds'>;

const shortPage = (heading: string, text: string): Page => ({
  html: document(heading, `<h1>${escaped(heading)}</h1>\n<p>${escaped(text)}</p>`),
  policy: policyFor([]),
});

const document = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>${escaped(title)}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;

/** Allows the style sheet of the page, and media of this service and of `origins`, where downloads may be redirected. */
const policyFor = (origins: readonly string[]): string =>
  [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
    ["img-src 'self' data:", ...origins].join(' '),
    ["media-src 'self'", ...origins].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const line = ({ name, sizeBytes }: NamedFile, address: string): string =>
  `<li><a href="${address}">${escaped(name)}</a><span>${sizeText(sizeBytes)}</span></li>`;

const KINDS: Readonly<Record<'video' | 'audio' | 'img', RegExp>> = {
  video: /\.(?:mp4|m4v|webm|mov|ogv)$/i,
  audio: /\.(?:mp3|m4a|aac|ogg|oga|opus|flac|wav)$/i,
  img: /\.(?:jpe?g|png|gif|webp|avif|apng)$/i,
};

/** The element with which browsers play or show a file of this name. */
const playerOf = (name: string) => (['video', 'audio', 'img'] as const).find((kind) => KINDS[kind].test(name));

function player(name: string, address: string): string {
  const label = escaped(name);
  switch (playerOf(name)) {
    case 'video':
      return `<video src="${address}" aria-label="${label}" controls playsinline preload="metadata"></video>`;
    case 'audio':
      return `<audio src="${address}" aria-label="${label}" controls preload="metadata"></audio>`;
    case 'img':
      return `<img src="${address}" alt="${label}">`;
    default:
      return '';
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a text for HTML. A name of a file comes from a client, and may contain anything. */
const escaped = (text: string): string => plainText(text).replace(/[&<>"']/g, (one) => ESCAPES[one] ?? one);
