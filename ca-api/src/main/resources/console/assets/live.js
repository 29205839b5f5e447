// Moves the live page: the server sends what the page shows, in the words that it shows, and this puts
// them into their places as text. Without it the page shows the moment at which it was opened.
'use strict';
(() => {
  const POINTS_MAX = 750;
  const SPAN_MAX = 600;
  const SPAN_MIN = 60;
  const RETRY_MILLIS = 10000;
  const byId = (id) => document.getElementById(id);
  const connection = byId('connection');
  const quiet = window.matchMedia('(prefers-color-scheme: dark)');

  // --- Rows ---------------------------------------------------------------------------------------

  function fill(row, data) {
    row.dataset.state = data.state;
    row.dataset.marked = String(data.isMarked);
    for (const place of row.querySelectorAll('[data-field]')) {
      const text = data.fields[place.dataset.field] ?? '';
      if (place.textContent !== text) {
        place.textContent = text;
      }
    }
    const meter = row.querySelector('[data-meter]');
    if (meter) {
      meter.value = data.meter;
    }
  }

  function show(name, rows) {
    const list = document.querySelector(`[data-list="${name}"]`);
    const template = byId(`row-${name}`);
    if (!list) {
      return;
    }
    const present = list.querySelectorAll(':scope > [data-row]');
    rows.forEach((data, i) => {
      let row = present[i];
      if (!row && template) {
        row = template.content.firstElementChild.cloneNode(true);
        list.append(row);
      }
      if (row) {
        fill(row, data);
      }
    });
    for (let i = rows.length; i < present.length; i++) {
      present[i].remove();
    }
  }

  // --- The plot -----------------------------------------------------------------------------------

  const series = [[], [], [], []];
  let plot = null;

  function colour(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  }

  function clock(seconds) {
    return new Date(seconds * 1000).toISOString().slice(11, 19);
  }

  function draw() {
    const place = byId('plot');
    if (plot) {
      plot.destroy();
    }
    const axis = { stroke: colour('--faint'), grid: { stroke: colour('--rule'), width: 1 }, ticks: { show: false },
      font: '12px system-ui, sans-serif' };
    plot = new uPlot({
      width: place.clientWidth,
      height: 220,
      cursor: { drag: { x: false, y: false } },
      legend: { live: false },
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
      scales: { x: { range: (u, min, max) => [Math.min(min, max - SPAN_MIN), max] },
        line: { range: (u, min, max) => [0, Math.max(4, max * 1.1)] },
        y: { range: (u, min, max) => [0, Math.max(4, max * 1.1)] } },
      axes: [{ ...axis, values: (u, times) => times.map(clock), space: 90 }, { ...axis, size: 48 }, { ...axis, scale: 'line', side: 1, size: 48, grid: { show: false } }],
      series: [
        { label: 'UTC' },
        { label: 'certificates/s', stroke: colour('--calm'), width: 2, points: { show: false },
          fill: colour('--calm-wash') },
        { label: 'refused/s', stroke: colour('--full'), width: 2, dash: [6, 4], points: { show: false } },
        { label: 'on the line (right)', scale: 'line', stroke: colour('--busy'), width: 1.5, points: { show: false } },
      ],
    }, series, place);
  }

  function add(point) {
    const times = series[0];
    if (times.length > 0 && point[0] <= times[times.length - 1]) {
      return;
    }
    point.forEach((value, i) => series[i].push(value));
    while (times.length > POINTS_MAX || times[0] < point[0] - SPAN_MAX) {
      series.forEach((values) => values.shift());
    }
    if (plot) {
      plot.setData(series);
    }
  }

  async function startPlot() {
    try {
      const answer = await fetch('/console/live/history', { headers: { Accept: 'application/json' } });
      if (answer.ok) {
        (await answer.json()).forEach((values, i) => series[i].unshift(...values));
      }
    } catch {
      // The stream brings what comes from now on.
    }
    byId('plot-panel').hidden = false;
    draw();
    quiet.addEventListener('change', draw);
    new ResizeObserver(() => {
      const width = byId('plot').clientWidth;
      if (plot && width > 0 && width !== plot.width) {
        plot.setSize({ width, height: 220 });
      }
    }).observe(byId('plot'));
  }

  // --- The stream ---------------------------------------------------------------------------------

  function connected(text, state) {
    connection.textContent = text;
    connection.dataset.state = state;
    byId('refresh').hidden = state === 'calm';
  }

  // There are too many live pages, or the session has ended: then the page leads to the sign-in.
  async function refused() {
    const answer = await fetch('/console/live/history', { method: 'HEAD' }).catch(() => null);
    if (answer && answer.status === 401) {
      location.assign('/console/live');
    } else {
      setTimeout(listen, RETRY_MILLIS);
    }
  }

  function listen() {
    const source = new EventSource('/console/live/events');
    source.addEventListener('live', (event) => {
      const { view, point } = JSON.parse(event.data);
      connected('live', 'calm');
      byId('at').textContent = view.at;
      const verdict = byId('verdict');
      verdict.dataset.state = view.verdict.state;
      if (verdict.textContent !== view.verdict.text) {
        verdict.textContent = view.verdict.text;
      }
      Object.entries(view.lists).forEach(([name, rows]) => show(name, rows));
      if (point) {
        add(point);
      }
    });
    source.addEventListener('end', (event) => {
      connected('not live', 'busy');
      if (JSON.parse(event.data).reason === 'signed out') {
        source.close();
        location.assign('/console/live');
      }
    });
    source.addEventListener('error', () => {
      connected('not live', 'busy');
      if (source.readyState === EventSource.CLOSED) {
        refused();
      }
    });
    window.addEventListener('pagehide', () => source.close(), { once: true });
  }

  startPlot().then(listen);
})();
