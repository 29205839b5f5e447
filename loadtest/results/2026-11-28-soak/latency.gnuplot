set output 'latency.svg'
set terminal svg size 900,420 font 'sans,12' background '#ffffff'
set datafile missing '?'
set key outside bottom center horizontal
set grid
set yrange [0:*]
set samples 1000
set title 'Latency of 201, by when the request was due'
set xlabel 'minutes from the beginning'
set ylabel 'ms from when it was due'
plot 'latency.tsv' using 1:2 with lines lw 2 title 'p50' noenhanced,\
  'latency.tsv' using 1:3 with lines title 'p99' noenhanced
