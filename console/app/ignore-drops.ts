/**
 * Ignores files that are dropped where no element takes them. The browser would open such a file in place of the console, which ends running
 * uploads and loses drafts.
 */
export function ignoreDrops(): void {
  window.addEventListener('dragover', (event) => {
    if (event.defaultPrevented || event.dataTransfer?.types.includes('Files') !== true) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'none';
  });
  window.addEventListener('drop', (event) => {
    if (event.dataTransfer?.types.includes('Files') === true) event.preventDefault();
  });
}
