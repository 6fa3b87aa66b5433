import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** The anchor that GitHub and the site give a heading. */
export const headingSlug = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');

const withoutCode = (markdown: string): string => markdown.replaceAll(/^```[\s\S]*?^```$/gm, '');

/** The anchors of the headings of a page. A repeated heading has a number. */
export function anchorsOf(markdown: string): ReadonlySet<string> {
  const counts = new Map<string, number>();
  const anchors = Array.from(withoutCode(markdown).matchAll(/^#{1,6} (.*)$/gm), ([, heading = '']) => {
    const slug = headingSlug(heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1'));
    const count = counts.get(slug) ?? 0;
    counts.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  });
  return new Set(anchors);
}

/** A link of a page to a file of the repository. */
export interface Link {
  readonly target: string;
  /** The path of the file in the repository. */
  readonly path: string;
  readonly anchor: string | undefined;
}

/** The links of a page to files and to its own headings. `page`: its path in the repository. */
export function linksOf(root: string, page: string): readonly Link[] {
  const markdown = withoutCode(readFileSync(join(root, page), 'utf8')).replaceAll(/`[^`\n]*`/g, '');
  return Array.from(markdown.matchAll(/\]\(([^)\s]+)\)/g), ([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [file = '', anchor] = target.split('#');
      return { target, path: file === '' ? page : relative('.', join(dirname(page), decodeURI(file))), anchor };
    });
}
