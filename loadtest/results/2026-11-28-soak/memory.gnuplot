set output 'memory.svg'
set terminal svg size 900,420 font 'sans,12' background '#ffffff'
set datafile missing '?'
set key outside bottom center horizontal
set grid
set yrange [0:*]
set samples 1000
set title 'Resident memory of the nodes'
set xlabel 'minutes from the beginning'
set ylabel 'MB of 2^{20} bytes'
plot 'memory.tsv' using 1:2 with lines title 'node 0' noenhanced,\
  'memory.tsv' using 1:3 with lines title 'node 1' noenhanced
