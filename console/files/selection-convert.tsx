import type { ConversionRequest } from '@telecine/client';
import { mediaKind } from '../media/media-kind.ts';
import { Button } from '../ui/button.tsx';
import { useOpenInWorkbench } from '../workbench/use-open-in-workbench.ts';

/** Opens the workbench with the selected files as its sources, in the order of the list. Folders cannot be sources. */
export function SelectionConvert({ paths }: { readonly paths: readonly string[] }) {
  const openInWorkbench = useOpenInWorkbench();
  const isAllFiles = paths.every((path) => !path.endsWith('/'));
  if (!isAllFiles || paths.every((path) => mediaKind(path) === 'other')) return null;
  const [first, ...others] = paths.map((input) => ({ input }));
  const request = others.length === 0 ? first : { inputs: [first, ...others] };
  return <Button onClick={() => void openInWorkbench(request as ConversionRequest)}>Convert…</Button>;
}
