/** As a ref: the element gets the focus when it appears, because what had the focus is gone or disabled. */
export const takeFocus = (element: HTMLElement | null) => element?.focus();
