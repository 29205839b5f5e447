set output 'per-node.svg'
set terminal svg size 900,420 font 'sans,12' background '#ffffff'
set datafile missing '?'
set key outside bottom center horizontal
set grid
set yrange [0:*]
set samples 1000
set title 'What each node issued'
set xlabel 'node'
set ylabel 'certificates/s'
plot 'per-node.tsv' using 1:2 with linespoints title 'one' noenhanced,\
  'per-node.tsv' using 1:3 with linespoints title 'managed' noenhanced,\
  'per-node.tsv' using 1:4 with linespoints title 'unmanaged' noenhanced
