import { PasteCommand } from '../paste/paste-command.tsx';
import { Button } from '../ui/button.tsx';
import { Section } from '../ui/section.tsx';
import { useDraft } from './use-draft.tsx';

/** Converts an ffmpeg command line to a draft. */
export function PastePanel({
  onText,
  onUsed,
  onClose,
}: {
  /** Called after each change of the text. */
  readonly onText: (text: string) => void;
  /** Called when a command has replaced the draft. */
  readonly onUsed: () => void;
  readonly onClose: () => void;
}) {
  const { change } = useDraft();
  return (
    <Section variant="panel" title="Paste a command" actions={<Button onClick={onClose}>Close</Button>}>
      <PasteCommand
        onText={onText}
        onRequest={(read) => {
          change({ do: 'open-request', request: read });
          onUsed();
          onClose();
        }}
      />
    </Section>
  );
}
