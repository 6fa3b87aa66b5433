import type { ConversionRequest } from '@telecine/client';
import Clapperboard from 'lucide-react/icons/clapperboard';
import { useId } from 'react';
import { REQUEST_LIMITS } from '../../packages/contract/src/domain/conversion.ts';
import { mediaKind } from '../media/media-kind.ts';
import { Button } from '../ui/button.tsx';
import { useOpenInWorkbench } from '../workbench/use-open-in-workbench.ts';

/** Opens the workbench with the selected files as its sources, in this order. Folders cannot be sources. */
export function SelectionConvert({ paths }: { readonly paths: readonly string[] }) {
  const openInWorkbench = useOpenInWorkbench();
  const note = useId();
  const isAllFiles = paths.every((path) => !path.endsWith('/'));
  if (!isAllFiles || paths.every((path) => mediaKind(path) === 'other')) return null;
  const [first, ...others] = paths.map((input) => ({ input }));
  const request = others.length === 0 ? first : { inputs: [first, ...others] };
  const isTooMany = paths.length > REQUEST_LIMITS.inputs;
  return (
    <>
      <Button
        disabled={isTooMany}
        aria-describedby={isTooMany ? note : undefined}
        onClick={() => void openInWorkbench(request as ConversionRequest)}
      >
        <Clapperboard /> Convert…
      </Button>
      {isTooMany && <span id={note}>A conversion has at most {REQUEST_LIMITS.inputs} sources.</span>}
    </>
  );
}
