/** The page's charts over time: a line that shows the time, and seeking by click or drag. */

/** Where a chart's plot lies, in units of its viewBox, and which times its ends are [s]. */
export interface Plot {
  left: number;
  right: number;
  top: number;
  bottom: number;
  from: number;
  to: number;
}

/** Reads a plot from the chart's data attributes; null when one is missing or makes no sense. */
export function parsePlot(data: Record<string, string | undefined>): Plot | null {
  const number = (name: string) => (data[name] === undefined ? Number.NaN : Number(data[name]));
  const plot = {
    left: number("left"),
    right: number("right"),
    top: number("top"),
    bottom: number("bottom"),
    from: number("xMin"),
    to: number("xMax"),
  };
  const isWhole = Object.values(plot).every(Number.isFinite);
  return isWhole && plot.right > plot.left && plot.to > plot.from ? plot : null;
}

/** The time at a place [s], kept inside the plot. */
export function timeAt(plot: Plot, x: number): number {
  const fraction = Math.min(Math.max((x - plot.left) / (plot.right - plot.left), 0), 1);
  return plot.from + fraction * (plot.to - plot.from);
}

/** The place of a time, or null when the chart does not show that time. */
export function placeOf(plot: Plot, time: number): number | null {
  const fraction = (time - plot.from) / (plot.to - plot.from);
  return fraction < -1e-6 || fraction > 1 + 1e-6 ? null : plot.left + fraction * (plot.right - plot.left);
}

/** All charts over time of the page. */
export class Charts {
  private readonly playheads: { plot: Plot; line: SVGLineElement }[] = [];

  /** `seek` is called with a time [s] when the reader points at one. */
  constructor(page: ParentNode, seek: (time: number) => void) {
    for (const chart of page.querySelectorAll<SVGSVGElement>('svg[data-chart="time"]')) {
      const plot = parsePlot(chart.dataset);
      if (plot !== null) {
        this.playheads.push({ plot, line: addPlayhead(chart, plot) });
        listen(chart, plot, seek);
      }
    }
  }

  /** Moves the lines to a time [s]. */
  update(time: number): void {
    for (const { plot, line } of this.playheads) {
      const x = placeOf(plot, time);
      line.style.display = x === null ? "none" : "";
      if (x !== null) {
        line.setAttribute("transform", `translate(${x.toFixed(2)} 0)`);
      }
    }
  }
}

function addPlayhead(chart: SVGSVGElement, plot: Plot): SVGLineElement {
  const line = document.createElementNS("http://www.w3.org/2000/svg", "line");
  line.setAttribute("class", "playhead");
  line.setAttribute("y1", String(plot.top));
  line.setAttribute("y2", String(plot.bottom));
  chart.append(line);
  chart.classList.add("can-seek");
  return line;
}

function listen(chart: SVGSVGElement, plot: Plot, seek: (time: number) => void): void {
  const point = (event: PointerEvent) => {
    const matrix = chart.getScreenCTM();
    if (matrix !== null) {
      seek(timeAt(plot, new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse()).x));
    }
  };
  chart.addEventListener("pointerdown", (event) => {
    if (event.button === 0) {
      chart.setPointerCapture(event.pointerId);
      point(event);
    }
  });
  chart.addEventListener("pointermove", (event) => {
    if (chart.hasPointerCapture(event.pointerId)) {
      point(event);
    }
  });
}
