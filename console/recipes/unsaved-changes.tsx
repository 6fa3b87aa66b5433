import { useBlocker } from '@tanstack/react-router';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';

/** Asks before the page of a recipe is left with changes that are not saved. */
export function UnsavedChanges({ isChanged }: { readonly isChanged: boolean }) {
  const { status, proceed, reset } = useBlocker({
    // The search of the address changes while the page stays.
    shouldBlockFn: ({ current, next }) => isChanged && current.pathname !== next.pathname,
    enableBeforeUnload: isChanged,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      title="Leave without saving?"
      isOpen={status === 'blocked'}
      onOpenChange={() => reset?.()}
      confirmLabel="Leave"
      closeLabel="Stay"
      isDangerous
      isPending={false}
      error={null}
      onConfirm={() => proceed?.()}
      focusAfter={() => true}
    >
      <p>The changes of this recipe are not saved. They are lost if you leave the page.</p>
    </ConfirmDialog>
  );
}
