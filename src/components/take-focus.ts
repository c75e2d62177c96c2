/** As a ref: the element gets the focus when it appears, because what had the focus is gone or disabled. */
export const takeFocus = (element: HTMLElement | null) => element?.focus();

/** The same, unless something else has the focus by now. */
export const takeLostFocus = (element: HTMLElement | null) => {
  if (document.activeElement === document.body) element?.focus();
};
