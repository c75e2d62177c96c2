// @vitest-environment jsdom
import { renderHook } from '@testing-library/react';
import { useRowFocus } from './use-row-focus';

type Ids = { order: string[]; open?: string[] };

describe('focus in a list whose rows change', () => {
  let scrolledTo: string[] = [];
  beforeEach(() => {
    scrolledTo = [];
  });

  /** A list of rows, each with the named controls. */
  function list(rows: Record<string, string[]>) {
    const element = document.createElement('div');
    element.tabIndex = -1;
    for (const [id, parts] of Object.entries(rows)) {
      const row = element.appendChild(document.createElement('div'));
      row.dataset.row = id;
      row.scrollIntoView = () => scrolledTo.push(id);
      for (const part of parts) {
        const control = row.appendChild(document.createElement('button'));
        control.dataset.part = part;
        control.scrollIntoView = () => scrolledTo.push(`${id} ${part}`);
      }
    }
    document.body.append(element);
    const control = (id: string, part: string) =>
      element.querySelector<HTMLElement>(`[data-row="${id}"] [data-part="${part}"]`);
    const focused = () => {
      const { dataset } = document.activeElement as HTMLElement;
      const row = document.activeElement?.closest<HTMLElement>('[data-row]');
      return row ? `${row.dataset.row} ${dataset.part}` : document.activeElement === element ? 'list' : 'elsewhere';
    };
    return { element, control, focused };
  }

  /** The hook on such a list; `show` renders it with other ids. */
  function mount(rows: Record<string, string[]>, order: string[], open?: string[]) {
    const dom = list(rows);
    const { result, rerender } = renderHook(
      (props: Ids) => {
        const focus = useRowFocus(props.order, props.open);
        focus.list.current = dom.element as HTMLDivElement;
        return focus;
      },
      { initialProps: { order, open } as Ids },
    );
    return { ...dom, result, show: rerender };
  }
  const parts = ['approve', 'reject'];
  const three = { a: parts, b: parts, c: parts };
  afterEach(() => document.body.replaceChildren());

  it('scrolls to the row, and to the control, which in a high row may be outside the window', () => {
    const { result } = mount(three, ['a', 'b', 'c'], ['b', 'c']);
    result.current.move(1);
    expect(scrolledTo).toEqual(['b', 'b approve']);
  });

  it('moves by rows, and starts at the first pending one', () => {
    const { result, focused } = mount(three, ['a', 'b', 'c'], ['b', 'c']);
    expect(result.current.current()).toBeNull();
    result.current.move(1);
    expect(focused()).toBe('b approve');
    expect(result.current.current()).toBe('b');
    result.current.move(1);
    expect(focused()).toBe('c approve');
    result.current.move(1);
    expect(focused()).toBe('c approve');
    result.current.move(-1);
    result.current.move(-1);
    expect(focused()).toBe('a approve');
  });

  it('moves to the same control of the next open row when its row loses its controls', () => {
    const { control, focused, show } = mount(three, ['a', 'b', 'c'], ['a', 'b', 'c']);
    control('a', 'reject')?.focus();
    for (const part of parts) control('a', part)?.remove();
    show({ order: ['a', 'b', 'c'], open: ['b', 'c'] });
    expect(focused()).toBe('b reject');
  });

  it('moves there also from the page, which a dialog that has closed gives the focus to', () => {
    const { control, focused, show, element } = mount(three, ['a', 'b', 'c'], ['a', 'b', 'c']);
    const page = document.createElement('main');
    page.tabIndex = -1;
    document.body.append(page);
    page.append(element);
    control('a', 'reject')?.focus();
    for (const part of parts) control('a', part)?.remove();
    page.focus();
    show({ order: ['a', 'b', 'c'], open: ['b', 'c'] });
    expect(focused()).toBe('b reject');
  });

  it('moves back to the last open row when none follows, and to the list when none is left', () => {
    const { control, focused, show, element } = mount(three, ['a', 'b', 'c'], ['a', 'b', 'c']);
    control('c', 'approve')?.focus();
    element.querySelector('[data-row="c"]')?.remove();
    show({ order: ['a', 'b'], open: ['a', 'b'] });
    expect(focused()).toBe('b approve');
    for (const id of ['a', 'b']) element.querySelector(`[data-row="${id}"]`)?.remove();
    show({ order: [], open: [] });
    expect(focused()).toBe('list');
  });

  it.each([[undefined], [['a', 'b', 'c', 'd']]])(
    'moves from a "Show more" that has shown the last page to the first new row, not to the top (open: %s)',
    (open) => {
      const { focused, show, element } = mount({ ...three, d: parts }, ['a', 'b'], open?.slice(0, 2));
      const more = element.appendChild(document.createElement('button'));
      more.focus();
      more.remove();
      show({ order: ['a', 'b', 'c', 'd'], open });
      expect(focused()).toBe('c approve');
    },
  );

  it('is not taken from where the user has put it', () => {
    const { control, focused, show } = mount(three, ['a', 'b', 'c'], ['a', 'b', 'c']);
    control('a', 'approve')?.focus();
    control('a', 'approve')?.remove();
    const elsewhere = document.body.appendChild(document.createElement('input'));
    elsewhere.focus();
    show({ order: ['a', 'b', 'c'], open: ['b', 'c'] });
    expect(focused()).toBe('elsewhere');
  });

  describe('without open rows, in a queue whose decided rows leave', () => {
    it('moves to the row that is now in its place, after a dialog as well', () => {
      const { control, focused, show, element } = mount(three, ['a', 'b', 'c']);
      control('b', 'reject')?.focus();
      const dialog = document.body.appendChild(document.createElement('input'));
      dialog.focus();
      element.querySelector('[data-row="b"]')?.remove();
      show({ order: ['a', 'c'] });
      expect(focused()).toBe('elsewhere');
      dialog.remove();
      show({ order: ['a', 'c'] });
      expect(focused()).toBe('c reject');
    });

    it('moves to the next row when its own has moved away, and stays at its own when that has not', () => {
      const { control, focused, show } = mount(three, ['a', 'b', 'c']);
      control('a', 'approve')?.focus();
      control('a', 'approve')?.remove();
      show({ order: ['a', 'b', 'c'] });
      expect(focused()).toBe('a reject');
      control('a', 'reject')?.remove();
      show({ order: ['b', 'c', 'a'] });
      expect(focused()).toBe('b reject');
    });

    it('moves to the last row, and to the list when none is left', () => {
      const { control, focused, show, element } = mount(three, ['a', 'b', 'c']);
      control('c', 'approve')?.focus();
      element.querySelector('[data-row="c"]')?.remove();
      show({ order: ['a', 'b'] });
      expect(focused()).toBe('b approve');
      for (const id of ['a', 'b']) element.querySelector(`[data-row="${id}"]`)?.remove();
      show({ order: [] });
      expect(focused()).toBe('list');
    });
  });

  it('is restored after a dialog has closed', async () => {
    vi.useFakeTimers();
    const { control, focused, show } = mount(three, ['a', 'b', 'c'], ['a', 'b', 'c']);
    control('a', 'approve')?.focus();
    const dialog = document.body.appendChild(document.createElement('input'));
    for (const part of parts) control('a', part)?.remove();
    dialog.focus();
    show({ order: ['a', 'b', 'c'], open: ['b', 'c'] });
    dialog.remove();
    expect(document.activeElement).toBe(document.body);
    await vi.advanceTimersByTimeAsync(50);
    expect(focused()).toBe('b approve');
  });

  it('is restored after a dialog that closes late, as on a busy machine', async () => {
    vi.useFakeTimers();
    const { control, focused, show } = mount(three, ['a', 'b', 'c'], ['a', 'b', 'c']);
    control('a', 'approve')?.focus();
    const dialog = document.body.appendChild(document.createElement('div'));
    dialog.role = 'alertdialog';
    dialog.append(document.createElement('input'));
    dialog.querySelector('input')?.focus();
    for (const part of parts) control('a', part)?.remove();
    show({ order: ['a', 'b', 'c'], open: ['b', 'c'] });
    await vi.advanceTimersByTimeAsync(400);
    expect(focused()).toBe('elsewhere');
    dialog.remove();
    await vi.advanceTimersByTimeAsync(50);
    expect(focused()).toBe('b approve');
  });
});
