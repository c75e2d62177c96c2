import { useEffect, useState } from 'react';
import { type LoadedImage, loadImage } from './image';
import { logoFileProblem } from './logo-file';

/** A logo on its way: a chosen file, then its crop; nothing is uploaded before the form is sent. */
export function useLogo() {
  const [image, setImage] = useState<LoadedImage | null>(null);
  const [logo, setLogo] = useState<Blob | null>(null);
  const [previewUrl, setPreviewUrl] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  useEffect(() => () => image?.release(), [image]);
  useEffect(() => {
    if (!logo) return setPreviewUrl(null);
    const url = URL.createObjectURL(logo);
    setPreviewUrl(url);
    return () => URL.revokeObjectURL(url);
  }, [logo]);

  const choose = async (file: File) => {
    const refusal = logoFileProblem(file);
    setProblem(refusal);
    if (refusal) return;
    try {
      setImage(await loadImage(file));
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'We could not read this image.');
    }
  };
  const finish = (cropped: Blob) => {
    setLogo(cropped);
    setImage(null);
  };
  return {
    image,
    logo,
    previewUrl,
    problem,
    choose,
    finish,
    cancel: () => setImage(null),
    remove: () => setLogo(null),
  };
}
