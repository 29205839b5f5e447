set output 'rates.svg'
set terminal svg size 900,360 font 'sans,12' background '#ffffff'
set key outside bottom center horizontal
set grid
set yrange [0:*]
set title 'Offered and issued'
set ylabel 'certificates/s'
set xlabel 'minutes'
plot 'rates.tsv' using 1:2 with lines title 'offered/s',\
  '' using 1:3 with lines lw 2 title 'issued/s'
