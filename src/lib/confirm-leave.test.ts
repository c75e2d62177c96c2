import { confirmLeave, hasUnsavedChanges, setLeaveConfirmation } from './confirm-leave';

it('nothing is asked without unsaved changes', async () => {
  expect(hasUnsavedChanges()).toBe(false);
  expect(await confirmLeave()).toBe(true);
});

it.each([true, false])('with unsaved changes the answer decides: %s', async (answer) => {
  const ask = vi.fn(() => Promise.resolve(answer));
  const forget = setLeaveConfirmation(ask);
  expect(hasUnsavedChanges()).toBe(true);
  expect(await confirmLeave()).toBe(answer);
  expect(ask).toHaveBeenCalledOnce();
  forget();
  expect(hasUnsavedChanges()).toBe(false);
  expect(await confirmLeave()).toBe(true);
});

it('a form that is gone does not take back the question of the one after it', async () => {
  const forget = setLeaveConfirmation(() => false);
  const forgetNext = setLeaveConfirmation(() => false);
  forget();
  expect(await confirmLeave()).toBe(false);
  forgetNext();
  expect(await confirmLeave()).toBe(true);
});
