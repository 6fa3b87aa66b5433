import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'rolldown/utils';
import { analyse } from 'scslre';

/** One regular expression in a source file. */
export interface Expression {
  /** `packages/contract/src/domain/quantity.ts:12`. */
  readonly place: string;
  readonly source: string;
  readonly flags: string;
}

/** The regular expressions that a file writes as literals. `file`: relative to `root`. Throws where the code cannot be parsed. */
export function expressionsIn(root: string, file: string): readonly Expression[] {
  const code = readFileSync(join(root, file), 'utf8');
  const { program, errors } = parseSync(file, code);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const found: Expression[] = [];
  new Visitor({
    Literal(node) {
      if (!('regex' in node)) return;
      const place = `${file}:${code.slice(0, node.start).split('\n').length}`;
      found.push({ place, source: node.regex.pattern, flags: node.regex.flags });
    },
  }).visit(program);
  return found;
}

/**
 * Whether there are texts, made of repetitions of a character, for which an expression takes time that grows with more than their
 * length: `Trade` for two parts that both match them, `Self` for a part inside itself, `Move` for each place where a search
 * begins. undefined if the time is linear.
 */
export function slowness({ source, flags }: Pick<Expression, 'source' | 'flags'>): string | undefined {
  const { reports } = analyse({ source, flags });
  const kinds = new Set(reports.map(({ type }) => type));
  return kinds.size === 0 ? undefined : [...kinds].sort().join(', ');
}
