import { Button } from '../ui/button.tsx';
import { WithCode } from '../ui/with-code.tsx';
import type { LeftOut } from './draft.ts';
import { DraftNote } from './draft-note.tsx';
import { leftOutText } from './hidden-parts.ts';
import { useDraft } from './use-draft.tsx';

/** Says what the new job lacks of the job from which its request comes. `isClosable`: the draft itself lacks it, not only its requests. */
export function LeftOutNote({
  parts,
  isClosable,
}: {
  readonly parts: readonly LeftOut[];
  readonly isClosable: boolean;
}) {
  const { change } = useDraft();
  return (
    <DraftNote
      label="Not copied from the job"
      actions={
        isClosable && (
          <Button variant="quiet" onClick={() => change({ do: 'forget-left-out' })}>
            Close this note
          </Button>
        )
      }
    >
      <p>
        <WithCode text={leftOutText(parts)} />
      </p>
    </DraftNote>
  );
}
