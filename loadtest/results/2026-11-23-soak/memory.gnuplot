set output 'memory.svg'
set terminal svg size 900,360 font 'sans,12' background '#ffffff'
set key outside bottom center horizontal
set grid
set yrange [0:*]
set title 'Resident memory of the nodes'
set ylabel 'MB'
set xlabel 'minutes'
plot 'memory.tsv' using 1:2 with lines title 'node 0', '' using 1:3 with lines title 'node 1'
