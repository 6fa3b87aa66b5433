/** Whether a dialog covers the page. Its user does not mean the page by keys or by dropped files. */
export const isDialogOpen = (): boolean => document.querySelector('[role="dialog"], [role="alertdialog"]') !== null;
