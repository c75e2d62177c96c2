import { useEffect, useRef, useState } from 'react';
import { toAppError } from './errors';

type PictureChoice<Picture> = {
  /** Throws notAPicture() when the file cannot be used. */
  read: (file: File) => Promise<Picture>;
  onRead: (picture: Picture) => void;
  /** Called in place of `onRead` when another file has been chosen by then, or the field is gone. */
  onLate?: (picture: Picture) => void;
};

/**
 * State of a field for one picture. The file that was chosen last counts: a large one takes longer to read than the one chosen after it, or
 * than the form is open. `isReading`: the form would be saved without it.
 */
export function usePictureChoice<Picture>({ read, onRead, onLate }: PictureChoice<Picture>) {
  const latest = useRef<File | null>(null);
  const [isReading, setIsReading] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  useEffect(
    () => () => {
      latest.current = null;
    },
    [],
  );

  const choose = async (file: File) => {
    latest.current = file;
    setProblem(null);
    setIsReading(true);
    try {
      const picture = await read(file);
      if (latest.current !== file) return onLate?.(picture);
      onRead(picture);
    } catch (error) {
      if (latest.current !== file) return;
      setProblem(toAppError(error).message);
    }
    setIsReading(false);
  };
  /** What was chosen, or is being read, is not wanted any more. */
  const forget = () => {
    latest.current = null;
    setIsReading(false);
    setProblem(null);
  };
  return { isReading, problem, choose, forget };
}
