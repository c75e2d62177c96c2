import { type PointerEvent, useRef } from 'react';
import { type Crop, clampCrop, dragCrop, maxZoom, sourceSquare } from '../crop';
import type { LoadedImage } from '../image';

/** How far an arrow key moves the picture, in shares of the window. */
const keyStep = 0.04;
const arrows: Readonly<Record<string, { dx: number; dy: number }>> = {
  ArrowLeft: { dx: -keyStep, dy: 0 },
  ArrowRight: { dx: keyStep, dy: 0 },
  ArrowUp: { dx: 0, dy: -keyStep },
  ArrowDown: { dx: 0, dy: keyStep },
};

type CropWindowProps = { image: LoadedImage; crop: Crop; onChange: (crop: Crop) => void };

/** The square that becomes the logo, with the picture moved under it by dragging or by arrow keys, and a zoom. */
export function CropWindow({ image, crop, onChange }: CropWindowProps) {
  const last = useRef<{ x: number; y: number } | null>(null);
  const { x, y, side } = sourceSquare(image.size, crop);
  const percent = (pixels: number) => `${(pixels / side) * 100}%`;

  const handleMove = (event: PointerEvent<HTMLElement>) => {
    if (!last.current) return;
    const move = { dx: event.clientX - last.current.x, dy: event.clientY - last.current.y };
    last.current = { x: event.clientX, y: event.clientY };
    onChange(dragCrop(image.size, crop, move, event.currentTarget.clientWidth));
  };

  return (
    <div className="grid justify-items-center gap-4">
      <button
        type="button"
        aria-label="Picture under the crop window. Drag it, or move it with the arrow keys."
        className="relative size-64 cursor-grab touch-none overflow-hidden rounded-card border-2 border-field border-dashed bg-sunken active:cursor-grabbing"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          last.current = { x: event.clientX, y: event.clientY };
        }}
        onPointerMove={handleMove}
        onPointerUp={() => {
          last.current = null;
        }}
        onKeyDown={(event) => {
          const move = arrows[event.key];
          if (!move) return;
          event.preventDefault();
          onChange(dragCrop(image.size, crop, move, 1));
        }}
      >
        <img
          src={image.url}
          alt=""
          draggable={false}
          className="pointer-events-none absolute max-w-none"
          style={{
            width: percent(image.size.width),
            height: percent(image.size.height),
            left: percent(-x),
            top: percent(-y),
          }}
        />
      </button>
      <label className="grid w-64 gap-1">
        <span className="font-semibold text-[0.95rem]">Zoom</span>
        <input
          type="range"
          min={1}
          max={maxZoom}
          step={0.05}
          value={crop.zoom}
          onChange={(event) => onChange(clampCrop(image.size, { ...crop, zoom: Number(event.target.value) }))}
          className="min-h-11 accent-action"
        />
      </label>
    </div>
  );
}
